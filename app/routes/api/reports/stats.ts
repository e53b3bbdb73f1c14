import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** The four figures of a period. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const period = periodOf(readRange(new URL(request.url).searchParams.get("range")), new Date());
    const stats = await showStats(seller.id, period, await readDays(seller.id, period));
    return {
      total_sales: stats.sales,
      total_revenue: toReais(stats.revenueCents),
      net_revenue: toReais(stats.netCents),
      total_customers: stats.customers,
      conversion_rate: stats.conversion ?? 0,
    };
  },
});
