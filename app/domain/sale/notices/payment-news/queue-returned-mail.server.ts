import type { Tx } from "#app/db/client.server.ts";
import { queuePaymentNewsMail } from "#app/domain/sale/notices/payment-news/queue-payment-news-mail.server.ts";

/** A payment that does not count, of which money went back: in all (`totalCents`) and just now (`addedCents`). */
type Returned = {
  id: string;
  paidCents: number;
  paidAt: Date;
  isMismatch: boolean;
  totalCents: number;
  addedCents: number;
  isRecorded?: boolean;
};

/** Queues the buyer's mail that an overpayment, or a payment of another amount, went back. Once a sum. */
export async function queueReturnedMail(tx: Tx, saleId: string, payment: Returned): Promise<void> {
  const { id, paidCents, paidAt, isMismatch, totalCents, addedCents, isRecorded = false } = payment;
  await queuePaymentNewsMail(tx, saleId, `returned/${id}/${totalCents}`, {
    what: "returned",
    amountCents: addedCents,
    at: new Date().toISOString(),
    isMismatch,
    paidAt: paidAt.toISOString(),
    leftCents: paidCents - totalCents,
    isRecorded,
  });
}
