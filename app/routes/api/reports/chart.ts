import { z } from "zod";
import { chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { periodBefore, periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { rangeQuery, reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.array(
  z.object({
    date: z.iso.date(),
    end_date: z.iso.date(),
    sales: z.int(),
    revenue: reais,
    previous_sales: z.int(),
    previous_revenue: reais,
  }),
);

/**
 * A period's points, oldest first: days, weeks for `1y`, each with the value at the same position of the previous period.
 */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os pontos do gráfico: um por dia, um por semana em 1y, com o período anterior",
      needs: "read",
      query: rangeQuery,
      answer,
      isReport: true,
      example: { query: { range: "7d" } },
    },
    async ({ request, seller }) => {
      const period = periodOf(readRange(new URL(request.url).searchParams.get("range")), new Date());
      const days = await readDays(seller.id, { first: periodBefore(period).first, last: period.last });
      return json(
        chartPoints(period, days).map((point) => ({
          date: point.first,
          end_date: point.last,
          sales: point.sales,
          revenue: toReais(point.revenueCents),
          previous_sales: point.previousSales,
          previous_revenue: toReais(point.previousRevenueCents),
        })),
      );
    },
  ),
});
