import { z } from "zod";
import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { toReais } from "#app/kit/money.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { rangeQuery, reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.object({
  total_sales: z.int(),
  total_revenue: reais,
  net_revenue: reais.meta({
    description:
      "A receita menos taxas e devoluções, e mais o que ficou de pagamentos em dobro ou com outro valor dessas vendas",
  }),
  fees: reais.meta({
    description:
      "A soma das taxas que o provedor informou, também as de pagamentos em dobro ou com outro valor; nenhuma é estimada",
  }),
  sales_without_fee: z.int().meta({ description: "Vendas cuja taxa o provedor ainda não informou" }),
  total_customers: z.int(),
  conversion_rate: z.number().meta({ description: "Por cento" }),
});

/** The four figures of a period. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Vendas, receita, clientes e conversão de um período",
      needs: "read",
      query: rangeQuery,
      answer,
      isReport: true,
      example: { query: { range: "30d" } },
    },
    async ({ request, seller }) => {
      const period = periodOf(readRange(new URL(request.url).searchParams.get("range")), new Date());
      const stats = await showStats(seller.id, period, await readDays(seller.id, period));
      return {
        total_sales: stats.sales,
        total_revenue: toReais(stats.revenueCents),
        net_revenue: toReais(stats.netCents),
        fees: toReais(stats.feeCents),
        sales_without_fee: stats.salesWithoutFee,
        total_customers: stats.customers,
        conversion_rate: stats.conversion ?? 0,
      };
    },
  ),
});
