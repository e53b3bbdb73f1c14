import type { LoaderFunctionArgs } from "@remix-run/node";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { limitExport } from "#app/server/limits/limit-exports.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { streamText } from "#app/server/response/stream-text.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** Every sale that matches the filter, as a file. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request }) => {
    const seller = await requireSeller(request);
    const now = new Date();
    const filter = readSalesFilter(new URL(request.url).searchParams, now);
    return streamText(limitExport(seller.id, streamCsv(seller.id, filter)), {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="relatorio_vendas_${dayOf(now)}.csv"`,
    });
  });
}
