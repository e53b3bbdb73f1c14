import type { LoaderFunctionArgs } from "@remix-run/node";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { DESK_LOOK } from "#app/ui/buyer/look.tsx";
import { withoutScreen } from "#app/web/buyer/page.server.tsx";
import { limitExport } from "#app/web/limits/exports.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";
import { streamText } from "#app/web/stream.server.ts";

/** Every sale of the filter as a file. */
export function loader(args: LoaderFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request }) => {
    const seller = await requireSeller(request);
    const now = new Date();
    const filter = readSalesFilter(new URL(request.url).searchParams, now);
    return streamText(limitExport(seller.id, streamCsv(seller.id, filter)), {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="relatorio_vendas_${dayOf(now)}.csv"`,
    });
  });
}
