import { startOfDaysAgo } from "#app/kit/dates.ts";

/** How many days a seller has to answer a question. */
export const ANSWER_DAYS = 7;

/**
 * The moment from which a buyer has to ask their seller: the end of the last day, in São Paulo.
 * @param days after the one of paying, on which money goes back without a reason
 */
export function rightEnds(paidAt: Date, days: number): Date {
  return startOfDaysAgo(paidAt, -(days + 1));
}

/** The last moment of the day by which the seller is to answer. */
export function answerDue(askedAt: Date): Date {
  return new Date(startOfDaysAgo(askedAt, -(ANSWER_DAYS + 1)).getTime() - 1);
}
