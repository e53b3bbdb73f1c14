import type { Tx } from "#app/db/client.server.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * All that a payment causes, in the settlement's transaction; the sale's row is locked by the caller.
 * The one list: state and history, the open page, the buyer's mail, the seller's notice, news for all who are told. The mails are drawn
 * where they are sent, so that no template and no name can hold the payment up.
 */
export async function markSalePaid(
  tx: Tx,
  sale: SaleContacts,
  { at: paidAt, feeCents }: { at: Date; feeCents: number | null },
): Promise<void> {
  await moveSale(
    tx,
    sale,
    { to: "completed", at: paidAt, feeCents },
    "provider",
    mailsOfPayment(sale, paidAt),
  );
}

/** The buyer's mail and the seller's notice. */
export function mailsOfPayment(sale: SaleContacts, paidAt: Date): NewMail[] {
  const { id: saleId } = sale;
  const facts = { paidAt: paidAt.toISOString() };
  const mails: NewMail[] = [];
  if (sale.customerEmail) {
    mails.push({
      kind: sale.parentSaleId ? "upsell" : "purchase",
      idempotencyKey: `purchase/${saleId}`,
      recipient: sale.customerEmail,
      sellerId: sale.sellerId,
      saleId,
      facts,
    });
  }
  if (sale.notifyNewSale) {
    mails.push({
      kind: "new-sale",
      idempotencyKey: `new-sale/${saleId}`,
      recipient: sale.sellerEmail,
      sellerId: sale.sellerId,
      saleId,
      facts,
    });
  }
  return mails;
}
