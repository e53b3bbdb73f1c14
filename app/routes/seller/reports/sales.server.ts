import { chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { periodBefore } from "#app/domain/reports/figures/period.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats, sumStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { findNames } from "#app/domain/reports/find-names.server.ts";
import { listChoices } from "#app/domain/reports/list-choices.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { METHOD_FILTERS, readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";

const PAGE = 25;

/** Data of the sales tab. */
export async function loadSales(sellerId: string, query: URLSearchParams) {
  const now = new Date();
  const filter = readSalesFilter(query, now);
  const { period } = filter;
  const [days, list, choices, byProduct, byCampaign, byMethod, byCoupon, byOffer] = await Promise.all([
    readDays(sellerId, { first: periodBefore(period).first, last: period.last }),
    listSales(sellerId, filter, { limit: PAGE, ...readCursors(query) }),
    listChoices(sellerId),
    readBreakdown(sellerId, "product", period),
    readBreakdown(sellerId, "campaign", period),
    readBreakdown(sellerId, "method", period),
    readBreakdown(sellerId, "coupon", period),
    readBreakdown(sellerId, "offer", period),
  ]);
  const here = days.filter(({ day }) => day >= period.first);
  const keysOf = ({ rows }: typeof byProduct) => rows.map(({ key }) => key);
  const [stats, names] = await Promise.all([
    showStats(sellerId, period, here),
    findNames(sellerId, { products: keysOf(byProduct), offers: keysOf(byOffer) }),
  ]);
  return {
    tab: "sales" as const,
    range: period.range,
    days: period.days,
    status: filter.status,
    method: filter.method,
    productId: filter.productId,
    couponId: filter.couponId,
    offerId: filter.offerId,
    search: filter.search,
    stats,
    before: sumStats(days.filter(({ day }) => day < period.first)),
    points: chartPoints(period, days),
    ...choices,
    byProduct: {
      ...byProduct,
      rows: byProduct.rows.map((row) => ({ ...row, name: names.products.get(row.key) ?? "" })),
    },
    byCampaign: {
      ...byCampaign,
      rows: byCampaign.rows.map((row) => ({ ...row, path: JSON.parse(row.key) as (string | null)[] })),
    },
    byMethod,
    byCoupon,
    byOffer: {
      ...byOffer,
      rows: byOffer.rows.map((row) => ({ ...row, name: names.offers.get(row.key) ?? row.key })),
    },
    /** The payment methods of the period's completed sales and of the shown ones. */
    methods: METHOD_FILTERS.filter(
      (method) =>
        method === filter.method ||
        byMethod.rows.some(({ key }) => key === method) ||
        list.items.some(({ paymentMethod }) => paymentMethod === method),
    ),
    sales: list.items.map((sale) => ({
      id: sale.id,
      createdAt: sale.createdAt,
      productName: sale.productName,
      customerName: buyerLabel(sale),
      customerEmail: sale.customerEmail,
      amountCents: sale.amountCents,
      status: sale.status,
      accessSuspendedAt: sale.accessSuspendedAt,
      paymentMethod: sale.paymentMethod,
    })),
    newer: list.newer && writeCursor(list.newer),
    older: list.older && writeCursor(list.older),
  };
}

export type SalesReport = Awaited<ReturnType<typeof loadSales>>;
