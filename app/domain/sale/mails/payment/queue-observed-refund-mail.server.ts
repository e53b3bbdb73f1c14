import type { Db } from "#app/db/client.server.ts";
import type { ObservedRefundData } from "#app/db/schema/mail-data.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the seller's mail about a refund that was found at the provider and not requested here, once per refund. Sent
 * whatever mails they want: money left their account.
 */
export async function queueObservedRefundMail(
  tx: Db,
  saleId: string,
  refundId: string,
  data: ObservedRefundData,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) return;
  await queueMail(tx, {
    kind: "observed-refund",
    idempotencyKey: `observed-refund/${refundId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data,
  });
}
