import type { Cause, EvidenceStatus } from "#app/db/schema/lists.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/** A change of a dispute. `suspends`: the buyer has no access while it is open. `isRefundedBefore`: nothing moves. Money in cents. */
type DisputeChange = {
  disputeId: string;
  amountCents: number;
  what: "opened" | "won" | "lost";
  suspends: boolean;
  cause: Cause;
  isCard: boolean;
  evidence?: EvidenceStatus | null;
  evidenceDueAt?: Date | null;
  isRefundedBefore?: boolean;
};

/**
 * The seller's notification mail, unless they entered the change themselves, and the buyer's where their access
 * changes; of the rest the buyer knows from their bank.
 */
export function buildDisputeMails(sale: SaleContacts, change: DisputeChange): NewMail[] {
  const { disputeId, amountCents, what, suspends, cause, isCard, evidence = null, isRefundedBefore } = change;
  const evidenceDueAt = change.evidenceDueAt?.toISOString() ?? null;
  const saleRef = { sellerId: sale.sellerId, saleId: sale.id };
  const mails: NewMail[] = [];
  if (cause !== "seller")
    mails.push({
      ...saleRef,
      kind: "dispute",
      idempotencyKey: `dispute/${disputeId}/${what}`,
      recipient: sale.sellerEmail,
      data: { what, amountCents, suspends, isCard, evidence, evidenceDueAt, isRefundedBefore },
    });
  if (sale.customerEmail && !isRefundedBefore && (suspends || what === "lost"))
    mails.push({
      ...saleRef,
      kind: "dispute-access",
      idempotencyKey: `dispute-access/${disputeId}/${what}`,
      recipient: sale.customerEmail,
      data: { what, amountCents, isRecorded: cause === "seller" },
    });
  return mails;
}
