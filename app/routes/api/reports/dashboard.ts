import { dashboardStats, type Sold } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Completed sales of today and of the last 7 and 30 days. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const { today, sevenDays, thirtyDays } = await dashboardStats(seller.id);
    return { today: soldJson(today), sevenDays: soldJson(sevenDays), thirtyDays: soldJson(thirtyDays) };
  },
});

function soldJson({ count, totalCents }: Sold) {
  return { count, total: toReais(totalCents) };
}
