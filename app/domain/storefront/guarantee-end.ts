import { formatDate, startOfDaysAgo } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";

/**
 * When the guarantee ends, after which a refund needs the seller's consent: the end of its last day, in São Paulo.
 * @param days after the day of the payment, during which a refund needs no reason
 */
export function guaranteeEndsAt(paidAt: Date, days: number): Date {
  return startOfDaysAgo(paidAt, -(days + 1));
}

/** The last day of a guarantee with that end, as `21/11/2026`. */
export function lastGuaranteeDay(endsAt: Date): string {
  return formatDate(new Date(endsAt.getTime() - MINUTE));
}
