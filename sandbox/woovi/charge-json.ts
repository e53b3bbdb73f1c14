import type { Refund, Status, Transaction } from "../transactions.ts";

/** A refunded charge stays COMPLETED. What a deleted one is called is documented nowhere. */
const STATUS: Record<Status, string> = {
  created: "ACTIVE",
  paid: "COMPLETED",
  expired: "EXPIRED",
  canceled: "CANCELED",
  refunded: "COMPLETED",
};

/** A charge as Woovi's API and webhooks show it. */
export function chargeJson(transaction: Transaction) {
  const { id, status, value, qrCode, createdAt, updatedAt, expiresAt, paidAt, fee } = transaction;
  return {
    status: STATUS[status],
    value,
    correlationID: id,
    transactionID: id,
    identifier: id,
    brCode: qrCode,
    qrCodeImage: `https://api.woovi.com/openpix/charge/brcode/image/${id}.png`,
    paymentLinkUrl: `https://woovi.com/pay/${id}`,
    pixKey: "sandbox@woovi.com",
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    expiresDate: new Date(expiresAt).toISOString(),
    expiresIn: Math.round((expiresAt - createdAt) / 1000),
    ...(paidAt === null ? {} : { paidAt: new Date(paidAt).toISOString(), fee }),
  };
}

export function refundJson({ reference, cents, status, requestedAt, endToEndId }: Refund) {
  const words = { processing: "IN_PROCESSING", confirmed: "CONFIRMED", rejected: "REJECTED" };
  return {
    status: words[status],
    value: cents,
    correlationID: reference,
    endToEndId,
    time: new Date(requestedAt).toISOString(),
  };
}
