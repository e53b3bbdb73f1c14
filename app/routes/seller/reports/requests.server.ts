import {
  countRefundRequests,
  listRefundRequests,
} from "#app/domain/refund/request/list-refund-requests.server.ts";
import type { ListedRequestState } from "#app/domain/refund/request/listed-request-state.ts";
import { formatPercent } from "#app/domain/reports/figures/percent.ts";
import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { formatDate, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";

const PAGE = 25;
const ENDED: ListedRequestState[] = ["back", "contested"];

/** Data of the refund requests' tab. */
export async function loadRequests(sellerId: string, query: URLSearchParams) {
  const now = new Date();
  const period = periodOf(readRange(query.get("range")), now);
  const [counted, list] = await Promise.all([
    countRefundRequests(sellerId, period),
    listRefundRequests(sellerId, period, { limit: PAGE, ...readCursors(query) }),
  ]);
  return {
    tab: "refunds" as const,
    range: period.range,
    days: period.days,
    requests: counted.requests,
    rate: counted.paid > 0 ? formatPercent((counted.requests / counted.paid) * 100) : null,
    items: list.items.map((item) => ({
      id: item.id,
      saleId: item.saleId,
      state: item.state,
      kind: item.kind,
      reason: item.reason,
      isErased: item.isErased,
      buyer: buyerLabel(item) ?? "Sem nome",
      product: item.productName,
      // Of what went back nothing is left: its row shows the purchase.
      amount: formatMoney(ENDED.includes(item.state) ? item.amountCents : item.leftCents),
      at: formatDateTime(item.createdAt),
      due: formatDate(item.due),
      isLate: item.due < now,
    })),
    newer: list.newer && writeCursor(list.newer),
    older: list.older && writeCursor(list.older),
  };
}

export type RequestsReport = Awaited<ReturnType<typeof loadRequests>>;
