import type { Tx } from "#app/db/client.server.ts";
import { type NewMail, queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { trackSale } from "#app/domain/sale/tracking/track-sale.server.ts";

/**
 * All that a payment causes, in the settlement's transaction; the sale's row is locked by the caller.
 * The one list: state and history, the open page, the buyer's mail, the seller's notice, the tracking. The mails are drawn
 * where they are sent, so that no template and no name can hold the payment up.
 */
export async function markSalePaid(
  tx: Tx,
  saleId: string,
  { at: paidAt, feeCents }: { at: Date; feeCents: number | null },
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await moveSale(tx, sale, { to: "completed", at: paidAt, feeCents }, "provider");
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
  await queueMails(tx, mails);
  if (sale.isTracked) await trackSale(tx, saleId, "paid");
}
