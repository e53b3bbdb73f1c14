import type { Tx } from "#app/db/client.server.ts";
import type { OverpaymentMailData } from "#app/db/schema/mail-data.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the seller's mail about an overpayment: that it is to be refunded, that it is being refunded automatically, or that
 * this failed; and again where it becomes disputed later, and once the bank rejected its dispute. Once each per charge and
 * dispute; it cannot be switched off.
 */
export async function queueSellerOverpaymentMail(
  tx: Tx,
  {
    saleId,
    chargeId,
    dispute,
    ...data
  }: { saleId: string; chargeId: string; dispute?: string } & OverpaymentMailData,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  const isRefused = data.refund?.state === "refused";
  const later = data.isDisputedLater
    ? `/${dispute}/disputed`
    : data.isDisputeRejected
      ? `/${dispute}/rejected`
      : "";
  await queueMail(tx, {
    kind: "surplus",
    idempotencyKey: `surplus/${chargeId}${isRefused ? "/refused" : later}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data,
  });
}
