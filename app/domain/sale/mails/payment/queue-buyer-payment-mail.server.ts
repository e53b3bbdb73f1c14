import type { Tx } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the buyer's mail about a payment that does not count, or a refund that does not end the purchase.
 * @param key identifies the event: one mail per key
 */
export async function queueBuyerPaymentMail(
  tx: Tx,
  saleId: string,
  key: string,
  data: MailData["payment-news"],
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.customerEmail) return;
  await queueMail(tx, {
    kind: "payment-news",
    idempotencyKey: `payment-news/${key}`,
    recipient: sale.customerEmail,
    sellerId: sale.sellerId,
    saleId,
    data,
  });
}
