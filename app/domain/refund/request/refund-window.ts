import { startOfDaysAgo } from "#app/kit/dates.ts";

/** How many days a seller has to answer a request. */
export const ANSWER_DAYS = 7;

/**
 * When the guarantee ends, after which a refund needs the seller's consent: the end of its last day, in São Paulo.
 * @param days after the day of the payment, during which a refund needs no reason
 */
export function guaranteeEndsAt(paidAt: Date, days: number): Date {
  return startOfDaysAgo(paidAt, -(days + 1));
}

/** The end of the day by which the seller is to answer. */
export function answerDeadline(requestedAt: Date): Date {
  return new Date(startOfDaysAgo(requestedAt, -(ANSWER_DAYS + 1)).getTime() - 1);
}
