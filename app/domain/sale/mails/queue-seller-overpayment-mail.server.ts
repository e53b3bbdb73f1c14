import type { Tx } from "#app/db/client.server.ts";
import type { OverpaymentMailData } from "#app/db/schema/mail-data.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the seller's mail about an overpayment: that it is to be refunded, that it is being refunded automatically, or that
 * this failed. Once each per charge; it cannot be switched off.
 */
export async function queueSellerOverpaymentMail(
  tx: Tx,
  { saleId, chargeId, ...data }: { saleId: string; chargeId: string } & OverpaymentMailData,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await queueMail(tx, {
    kind: "surplus",
    idempotencyKey: data.refund?.state === "refused" ? `surplus/${chargeId}/refused` : `surplus/${chargeId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data,
  });
}
