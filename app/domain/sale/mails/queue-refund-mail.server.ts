import type { Db } from "#app/db/client.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the buyer's mail about their refund, in the transaction that books it. Once per sale.
 * @param isRecorded whether only the seller reports it
 */
export async function queueRefundMail(tx: Db, saleId: string, isRecorded: boolean): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.customerEmail) return;
  await queueMail(tx, {
    kind: "refund",
    idempotencyKey: `refund/${saleId}`,
    recipient: sale.customerEmail,
    sellerId: sale.sellerId,
    saleId,
    data: { isRecorded },
  });
}
