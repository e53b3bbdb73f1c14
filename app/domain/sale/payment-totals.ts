import type { Payment } from "#app/domain/sale/payments.ts";

/**
 * The sums of a sale's payments, in cents; `feeCents` is null where no fee is known, `netCents` where nothing was
 * received.
 */
export type PaymentTotals = {
  receivedCents: number;
  refundedCents: number;
  feeCents: number | null;
  netCents: number | null;
};

/** Sums the payments of a sale. */
export function sumPayments(payments: Payment[]): PaymentTotals {
  const sum = (pick: (payment: Payment) => number) => payments.reduce((all, one) => all + pick(one), 0);
  const hasFee = payments.some(({ feeCents }) => feeCents !== null);
  return {
    receivedCents: sum((one) => one.receivedCents),
    refundedCents: sum((one) => one.refundedCents),
    feeCents: hasFee ? sum((one) => one.feeCents ?? 0) : null,
    netCents: payments.length > 0 ? sum((one) => one.netCents) : null,
  };
}
