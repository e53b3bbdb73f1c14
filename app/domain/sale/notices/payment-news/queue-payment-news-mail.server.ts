import type { Tx } from "#app/db/client.server.ts";
import type { MailFacts } from "#app/db/schema/mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the buyer's mail about a payment that does not count, or about money that went back without ending the purchase.
 * @param key what it is about: the same news queue one mail
 */
export async function queuePaymentNewsMail(
  tx: Tx,
  saleId: string,
  key: string,
  facts: MailFacts["payment-news"],
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.customerEmail) return;
  await queueMail(tx, {
    kind: "payment-news",
    idempotencyKey: `payment-news/${key}`,
    recipient: sale.customerEmail,
    sellerId: sale.sellerId,
    saleId,
    facts,
  });
}
