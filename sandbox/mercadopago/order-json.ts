import type { Refund, Status, Transaction } from "../transactions.ts";

/** Status and detail. A refunded order stays `processed` (contracts-3 a.5). */
const STATUS: Record<Status, [string, string]> = {
  created: ["action_required", "waiting_transfer"],
  paid: ["processed", "accredited"],
  expired: ["expired", "expired"],
  canceled: ["canceled", "canceled"],
  refunded: ["processed", "refunded"],
};

/** Cents as an amount: `"19.90"`. */
export const amountOf = (cents: number) => (cents / 100).toFixed(2);

/** An order as the API shows it: the payer is never returned. */
export function orderJson(transaction: Transaction) {
  const { id, value, createdAt, updatedAt, expiresAt, reference, qrCode, endToEndId, refunds } = transaction;
  const [status, whole] = STATUS[transaction.status];
  const isPartly = transaction.status === "paid" && refunds.some((refund) => refund.status === "confirmed");
  const detail = isPartly ? "partially_refunded" : whole;
  const amount = amountOf(value);
  const isPaid = status === "processed";
  return {
    id,
    type: "online",
    processing_mode: "automatic",
    external_reference: reference,
    total_amount: amount,
    ...(isPaid ? { total_paid_amount: amount } : {}),
    country_code: "BRA",
    status,
    status_detail: detail,
    created_date: new Date(createdAt).toISOString(),
    last_updated_date: new Date(updatedAt).toISOString(),
    transactions: {
      payments: [
        {
          id: paymentIdOf(transaction),
          amount,
          ...(isPaid ? { paid_amount: amount } : {}),
          status,
          status_detail: detail,
          date_of_expiration: new Date(expiresAt).toISOString(),
          payment_method: {
            ...{ id: "pix", type: "bank_transfer", qr_code: qrCode },
            ticket_url: `https://www.mercadopago.com.br/payments/${id}/ticket`,
            ...(endToEndId ? { e2e_id: endToEndId } : {}),
          },
        },
      ],
      ...(refunds.length > 0 ? { refunds: refunds.map((refund) => refundJson(refund, transaction)) } : {}),
    },
  };
}

export function paymentIdOf({ id }: Transaction) {
  return id.replace("ORD", "PAY");
}

export function refundJson({ reference, cents, status }: Refund, transaction: Transaction) {
  const words = { processing: "processing", confirmed: "processed", rejected: "failed" };
  return {
    id: `REF${reference.replaceAll("-", "").toUpperCase()}`,
    transaction_id: paymentIdOf(transaction),
    amount: amountOf(cents),
    status: words[status],
    refund_mode: "standard",
  };
}
