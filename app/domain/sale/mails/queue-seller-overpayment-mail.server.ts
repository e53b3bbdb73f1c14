import type { Tx } from "#app/db/client.server.ts";
import type { OverpaymentMailData } from "#app/db/schema/mail-data.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the seller's mail about an overpayment: that it is to be refunded, that it is being refunded automatically, or that
 * this failed; and again where it becomes disputed later, and once the bank rejected its dispute. It cannot be switched off.
 * @param key begins with the charge's id, and identifies the event: one mail per key
 */
export async function queueSellerOverpaymentMail(
  tx: Tx,
  saleId: string,
  key: string,
  data: OverpaymentMailData,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await queueMail(tx, {
    kind: "surplus",
    idempotencyKey: `surplus/${key}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data,
  });
}
