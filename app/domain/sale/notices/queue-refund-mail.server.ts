import type { Db } from "#app/db/client.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the buyer's notice that their money was given back, in the transaction that notes the refund. Once a sale.
 * @param isRecorded whether the seller alone says so
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
    facts: { isRecorded },
  });
}
