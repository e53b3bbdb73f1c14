import { percentOf } from "#app/domain/reports/figures/percent.ts";
import type { DayFigures } from "#app/domain/reports/figures/read-days.server.ts";

/** The cards of the e-mail tab; `rate` is a percentage with one decimal, null where there was no mail. */
export type DeliveryTotals = { sent: number; failed: number; rate: number | null; tries: number };

/** The mails of some days taken together. Source: spec, delivery rate and total attempts. */
export function sumDeliveries(days: DayFigures[]): DeliveryTotals {
  const sum = (of: (day: DayFigures) => number) => days.reduce((total, day) => total + of(day), 0);
  const sent = sum((day) => day.mailsSent);
  const all = sum((day) => day.mails);
  return {
    sent,
    failed: sum((day) => day.mailsFailed),
    rate: all === 0 ? null : percentOf(sent, all),
    tries: sum((day) => day.mailTries),
  };
}
