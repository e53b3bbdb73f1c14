import {
  countRefundRequests,
  listRefundRequests,
} from "#app/domain/refund/asked/list-refund-requests.server.ts";
import { percentText } from "#app/domain/reports/figures/percent.ts";
import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { readPlaces, writePlace } from "#app/domain/reports/sales-filter.ts";
import { buyerWords } from "#app/domain/sale/emptied-words.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

const PAGE = 25;

/** What the tab of buyers' requests shows. */
export async function loadRequests(sellerId: string, query: URLSearchParams) {
  const period = periodOf(readRange(query.get("range")), new Date());
  const [counted, list] = await Promise.all([
    countRefundRequests(sellerId, period),
    listRefundRequests(sellerId, period, { limit: PAGE, ...readPlaces(query) }),
  ]);
  return {
    tab: "refunds" as const,
    range: period.range,
    days: period.days,
    requests: counted.requests,
    rate: counted.paid > 0 ? percentText((counted.requests / counted.paid) * 100) : null,
    items: list.items.map((item) => ({
      id: item.id,
      saleId: item.saleId,
      state: item.state,
      kind: item.kind,
      reason: item.reason,
      buyer: buyerWords(item) ?? "Sem nome",
      product: item.productName,
      amount: formatMoney(item.amountCents),
      at: formatDateTime(item.createdAt),
      due: formatDate(item.due),
    })),
    newer: list.newer && writePlace(list.newer),
    older: list.older && writePlace(list.older),
  };
}

export type RequestsReport = Awaited<ReturnType<typeof loadRequests>>;
