import type { Tx } from "#app/db/client.server.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";

/** A refunded payment that does not count: refunded in all (`totalCents`) and just now (`addedCents`). */
type ReturnedPayment = {
  id: string;
  paidCents: number;
  paidAt: Date;
  isMismatch: boolean;
  totalCents: number;
  addedCents: number;
  isRecorded?: boolean;
};

/** Queues the buyer's mail that an overpayment, or a payment of another amount, was refunded. Once per total. */
export async function queueReturnedPaymentMail(
  tx: Tx,
  saleId: string,
  payment: ReturnedPayment,
): Promise<void> {
  const { id, paidCents, paidAt, isMismatch, totalCents, addedCents, isRecorded = false } = payment;
  await queueBuyerPaymentMail(tx, saleId, `returned/${id}/${totalCents}`, {
    what: "returned",
    amountCents: addedCents,
    at: new Date().toISOString(),
    isMismatch,
    paidAt: paidAt.toISOString(),
    leftCents: paidCents - totalCents,
    isRecorded,
  });
}
