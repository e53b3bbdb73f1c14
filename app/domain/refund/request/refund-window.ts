import { startOfDaysAgo } from "#app/kit/dates.ts";

/** How many days a seller has to answer a request. */
export const ANSWER_DAYS = 7;

/** The end of the day by which the seller is to answer. */
export function answerDeadline(requestedAt: Date): Date {
  return new Date(startOfDaysAgo(requestedAt, -(ANSWER_DAYS + 1)).getTime() - 1);
}
