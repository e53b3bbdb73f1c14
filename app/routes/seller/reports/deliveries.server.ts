import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { sumMails } from "#app/domain/reports/figures/sum-mails.ts";
import { listMailLog, readMailLogStatus } from "#app/domain/reports/list-mail-log.server.ts";
import { readCursors, writeCursor } from "#app/domain/reports/sales-filter.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";

const PAGE = 25;

/** Data of the e-mail tab. */
export async function loadDeliveries(sellerId: string, query: URLSearchParams) {
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

export type DeliveriesReport = Awaited<ReturnType<typeof loadDeliveries>>;
