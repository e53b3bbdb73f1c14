import type { Db, Tx } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { moveDispute } from "#app/domain/sale/dispute/move-dispute.server.ts";
import { moveSale, type SaleMove } from "#app/domain/sale/move-sale.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * Makes a sale refunded with all consequences, in one transaction; it is completed or disputed, and its row locked by
 * the caller. Downloads need no change: they require a completed sale.
 * @param restCents what went back just now, where parts had before
 */
export async function markSaleRefunded(
  tx: Tx,
  sale: { id: string; sellerId: string; status: SaleStatus },
  move: Extract<SaleMove, { to: "refunded" }>,
  cause: Cause,
  restCents?: number,
): Promise<void> {
  if (sale.status === "disputed") await moveDispute(tx, sale, "refunded");
  await moveSale(tx, sale, move, cause);
  await queueRefundMail(tx, sale.id, cause === "seller", restCents);
}

/**
 * Queues the buyer's mail about their refund, in the transaction that books it. Once per sale.
 * @param isRecorded whether only the seller reports it
 */
export async function queueRefundMail(
  tx: Db,
  saleId: string,
  isRecorded: boolean,
  restCents?: number,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.customerEmail) return;
  await queueMail(tx, {
    kind: "refund",
    idempotencyKey: `refund/${saleId}`,
    recipient: sale.customerEmail,
    sellerId: sale.sellerId,
    saleId,
    data: { isRecorded, ...(restCents ? { restCents } : {}) },
  });
}
