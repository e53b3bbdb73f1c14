import { formatDate, startOfDaysAgo } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** A dispute that the bank rejected; times are ISO text. */
export type RejectedDispute = { openedAt: string; decidedAt: string };

/**
 * When the guarantee ends, after which a refund needs the seller's consent: the end of its last day, in São Paulo.
 * @param days after the day of the payment, during which a refund needs no reason
 * @param rejected oldest first: it is longer by their time, since no refund can be requested while the bank decides
 */
export function guaranteeEndsAt(paidAt: Date, days: number, rejected: RejectedDispute[] = []): Date {
  return rejected.reduce(
    (end, { openedAt, decidedAt }) => {
      if (Date.parse(openedAt) >= end.getTime()) return end;
      const lastedMs = Date.parse(decidedAt) - Date.parse(openedAt);
      return startOfDaysAgo(new Date(end.getTime() + lastedMs - 1), -1);
    },
    startOfDaysAgo(paidAt, -(days + 1)),
  );
}

/** The last day of a guarantee with that end, as `21/11/2026`. */
export function lastGuaranteeDay(endsAt: Date): string {
  return formatDate(new Date(endsAt.getTime() - MINUTE));
}
