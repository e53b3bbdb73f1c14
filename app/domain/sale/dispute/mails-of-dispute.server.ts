import type { Cause } from "#app/db/schema/lists.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/** What became of a dispute. `suspends`: the buyer is without access while it is open. Money in cents. */
type Happened = {
  disputeId: string;
  amountCents: number;
  what: "opened" | "won" | "lost";
  suspends: boolean;
  cause: Cause;
};

/**
 * The seller's notice, unless they entered it themselves, and the buyer's where it changes what they have: whoever contests
 * knows it from their bank.
 */
export function mailsOfDispute(sale: SaleContacts, happened: Happened): NewMail[] {
  const { disputeId, amountCents, what, suspends, cause } = happened;
  const about = { sellerId: sale.sellerId, saleId: sale.id };
  const mails: NewMail[] = [];
  if (cause !== "seller")
    mails.push({
      ...about,
      kind: "dispute",
      idempotencyKey: `dispute/${disputeId}/${what}`,
      recipient: sale.sellerEmail,
      facts: { what, amountCents, suspends },
    });
  if (sale.customerEmail && (suspends || what === "lost"))
    mails.push({
      ...about,
      kind: "dispute-access",
      idempotencyKey: `dispute-access/${disputeId}/${what}`,
      recipient: sale.customerEmail,
      facts: { what, amountCents },
    });
  return mails;
}
