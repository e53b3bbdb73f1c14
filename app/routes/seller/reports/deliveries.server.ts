import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { sumDeliveries } from "#app/domain/reports/figures/sum-deliveries.ts";
import { listDeliveries, readDeliveryStatus } from "#app/domain/reports/list-deliveries.server.ts";
import { readPlaces, writePlace } from "#app/domain/reports/sales-filter.ts";
import { buyerWords } from "#app/domain/sale/emptied-words.ts";

const PAGE = 25;

/** What the e-mail tab shows. */
export async function loadDeliveries(sellerId: string, query: URLSearchParams) {
  const period = periodOf(readRange(query.get("range")), new Date());
  const status = readDeliveryStatus(query.get("delivery"));
  const [days, list] = await Promise.all([
    readDays(sellerId, period),
    listDeliveries(sellerId, { period, status }, { limit: PAGE, ...readPlaces(query) }),
  ]);
  return {
    tab: "emails" as const,
    range: period.range,
    days: period.days,
    status,
    totals: sumDeliveries(days),
    mails: list.items.map((mail) => ({ ...mail, customerName: buyerWords(mail) })),
    newer: list.newer && writePlace(list.newer),
    older: list.older && writePlace(list.older),
  };
}

export type DeliveriesReport = Awaited<ReturnType<typeof loadDeliveries>>;
