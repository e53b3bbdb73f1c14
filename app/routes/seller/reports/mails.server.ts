import { percentOf } from "#app/domain/reports/figures/percent.ts";
import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { type DayFigures, readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { listMailLog, readMailLogStatus } from "#app/domain/reports/list-mail-log.server.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";

const PAGE = 25;

/** Data of the e-mail tab. */
export async function loadMails(sellerId: string, query: URLSearchParams) {
  const period = periodOf(readRange(query.get("range")), new Date());
  const status = readMailLogStatus(query.get("delivery"));
  const [days, list] = await Promise.all([
    readDays(sellerId, period),
    listMailLog(sellerId, { period, status }, { limit: PAGE, ...readCursors(query) }),
  ]);
  return {
    tab: "emails" as const,
    range: period.range,
    days: period.days,
    status,
    totals: sumMails(days),
    mails: list.items.map((mail) => ({ ...mail, customerName: buyerLabel(mail) })),
    newer: list.newer && writeCursor(list.newer),
    older: list.older && writeCursor(list.older),
  };
}

export type MailsReport = Awaited<ReturnType<typeof loadMails>>;

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
