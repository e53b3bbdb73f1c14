import { startOfDaysAgo } from "#app/kit/dates.ts";

/**
 * When the guarantee ends, after which a refund needs the seller's consent: the end of its last day, in São Paulo.
 * @param days after the day of the payment, during which a refund needs no reason
 */
export function guaranteeEndsAt(paidAt: Date, days: number): Date {
  return startOfDaysAgo(paidAt, -(days + 1));
}
