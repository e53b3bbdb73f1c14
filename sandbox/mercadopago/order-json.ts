import type { Refund, Status, Transaction } from "../transactions.ts";
import { type Chargeback, chargebackDetail, chargebacksOf, isWhollyRefunded } from "./cards/chargeback.ts";
import type { CardPayment } from "./cards/payment.ts";

/** Status and detail. A refunded order stays `processed`. */
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
  const { id, value, createdAt, updatedAt, reference, refunds, card } = transaction;
  const [status, detail] = statusOf(transaction);
  const amount = amountOf(value);
  const paidAmount = amountOf(card?.totalCents ?? value);
  const isPaid = status === "processed" || status === "charged_back";
  return {
    id,
    type: "online",
    processing_mode: "automatic",
    external_reference: reference,
    total_amount: amount,
    ...(isPaid ? { total_paid_amount: paidAmount } : {}),
    country_code: "BRA",
    status,
    // A failed order's reason is only in its payment.
    status_detail: status === "failed" ? "failed" : detail,
    created_date: new Date(createdAt).toISOString(),
    last_updated_date: new Date(updatedAt).toISOString(),
    transactions: {
      payments: [
        {
          id: paymentIdOf(transaction),
          amount,
          ...(isPaid ? { paid_amount: paidAmount } : {}),
          status,
          status_detail: detail,
          ...(card ? { payment_method: cardJson(card, detail) } : pixJson(transaction)),
        },
      ],
      ...(refunds.length > 0 ? { refunds: refunds.map((refund) => refundJson(refund, transaction)) } : {}),
      ...(card?.chargeback
        ? { chargebacks: chargebacksOf(card).map((one) => orderChargebackJson(transaction, one)) }
        : {}),
    },
  };
}

function statusOf(transaction: Transaction): [status: string, detail: string] {
  const { status, refunds, card } = transaction;
  // Refunded in full, it stays a refunded order, whether it was contested before or is afterwards.
  if (card?.chargeback && !isWhollyRefunded(transaction))
    return ["charged_back", chargebackDetail(card.chargeback)];
  const isPartly = status === "paid" && refunds.some((refund) => refund.status === "confirmed");
  if (isPartly) return ["processed", "partially_refunded"];
  if (card?.declineReason) return ["failed", card.declineReason];
  if (card && status === "expired") return ["canceled", "3ds_challenge_expired"];
  if (card && status === "created")
    return card.waitsFor === "challenge"
      ? ["action_required", "pending_challenge"]
      : ["processing", "in_review"];
  return STATUS[status];
}

function pixJson({ id, qrCode, endToEndId, expiresAt }: Transaction) {
  return {
    date_of_expiration: new Date(expiresAt).toISOString(),
    payment_method: {
      ...{ id: "pix", type: "bank_transfer", qr_code: qrCode },
      ticket_url: `https://www.mercadopago.com.br/payments/${id}/ticket`,
      ...(endToEndId ? { e2e_id: endToEndId } : {}),
    },
  };
}

function cardJson(card: CardPayment, detail: string) {
  const { brand, installments, installmentCents, statementDescriptor, challengeUrl } = card;
  return {
    ...{ id: brand, type: "credit_card", installments, installment_amount: amountOf(installmentCents) },
    ...(statementDescriptor === null ? {} : { statement_descriptor: statementDescriptor }),
    ...(detail === "pending_challenge" ? { transaction_security: { url: challengeUrl } } : {}),
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

function orderChargebackJson(transaction: Transaction, chargeback: Chargeback) {
  const id = transaction.id.replace("ORD", "CHB");
  const status = chargebackDetail(chargeback);
  return { id, transaction_id: paymentIdOf(transaction), case_id: chargeback.id, status };
}
