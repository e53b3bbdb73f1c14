import type { Tx } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the seller's mail that a PIX of another amount arrived, which is to be refunded; and again where it becomes
 * disputed later, and once the bank rejected its dispute. It cannot be switched off.
 * @param key begins with the charge's id, and identifies the event: one mail per key
 */
export async function queueAmountMismatchMail(
  tx: Tx,
  saleId: string,
  key: string,
  data: MailData["wrong-amount"],
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await queueMail(tx, {
    kind: "wrong-amount",
    idempotencyKey: `wrong-amount/${key}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data,
  });
}
