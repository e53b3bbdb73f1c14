import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type NewMail, queueMails } from "#app/domain/mail/queue-mail.server.ts";
import { moveSale } from "#app/domain/sales/move-sale.server.ts";
import { newSaleMail } from "#app/domain/sales/new-sale-mail.server.ts";
import { purchaseMail } from "#app/domain/sales/purchase-mail.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { trackSale } from "#app/domain/sales/track-sale.server.ts";

/**
 * All that a payment causes, in the settlement's transaction; the sale's row is locked by the caller.
 * The one list: state and history, the open page, the buyer's mail, the seller's notice, the tracking.
 */
export async function markSalePaid(tx: Tx, saleId: string, cause: string, paidAt: Date): Promise<void> {
  const sale = await readMailedSale(tx, eq(sales.id, saleId));
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await moveSale(tx, sale, "completed", cause, { completedAt: paidAt });
  const mails: NewMail[] = [];
  if (sale.customerEmail) {
    mails.push({
      kind: sale.parentSaleId ? "upsell" : "purchase",
      idempotencyKey: `purchase/${saleId}`,
      recipient: sale.customerEmail,
      sellerId: sale.sellerId,
      saleId,
      mail: purchaseMail(sale, paidAt),
    });
  }
  if (sale.notifyNewSale) {
    mails.push({
      kind: "new-sale",
      idempotencyKey: `new-sale/${saleId}`,
      recipient: sale.sellerEmail,
      sellerId: sale.sellerId,
      saleId,
      mail: newSaleMail(sale, paidAt),
    });
  }
  await queueMails(tx, mails);
  if (sale.isTracked) await trackSale(tx, saleId, "paid");
}
