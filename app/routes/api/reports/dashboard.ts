import { z } from "zod";
import { dashboardStats, type SalesTotal } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const sold = z.object({ count: z.int(), total: reais });

/** Completed sales of today and of the last 7 and 30 days. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Vendas pagas de hoje e dos últimos 7 e 30 dias",
      needs: "read",
      answer: z.object({ today: sold, sevenDays: sold, thirtyDays: sold }),
      example: {},
    },
    async ({ seller }) => {
      const { today, sevenDays, thirtyDays } = await dashboardStats(seller.id);
      return { today: soldJson(today), sevenDays: soldJson(sevenDays), thirtyDays: soldJson(thirtyDays) };
    },
  ),
});

function soldJson({ count, totalCents }: SalesTotal) {
  return { count, total: toReais(totalCents) };
}
