import { percentOf } from "#app/domain/reports/figures/percent.ts";
import type { DayFigures } from "#app/domain/reports/figures/read-days.server.ts";

/** The cards of the e-mail tab; `rate` is a percentage with one decimal, null where there was no mail. */
export type MailTotals = { sent: number; failed: number; rate: number | null; attempts: number };

/** The sums of some days' mails. Source: spec, delivery rate and total attempts. */
export function sumMails(days: DayFigures[]): MailTotals {
  const sum = (valueIn: (day: DayFigures) => number) => days.reduce((total, day) => total + valueIn(day), 0);
  const sent = sum((day) => day.mailsSent);
  const mailCount = sum((day) => day.mails);
  return {
    sent,
    failed: sum((day) => day.mailsFailed),
    rate: mailCount === 0 ? null : percentOf(sent, mailCount),
    attempts: sum((day) => day.mailAttempts),
  };
}
