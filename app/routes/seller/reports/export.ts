import type { LoaderFunctionArgs } from "@remix-run/node";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { dayOf, formatDateTime } from "#app/kit/dates.ts";
import { limitExport } from "#app/server/limits/limit-exports.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { openExport } from "#app/server/request/read-report.server.ts";
import { streamText } from "#app/server/response/stream-text.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** Every sale that matches the filter, as a file. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request }) => {
    const seller = await requireSeller(request);
    const now = new Date();
    const filter = readSalesFilter(new URL(request.url).searchParams, now);
    const { dataTime, read } = await openExport(request);
    // Programs read the file, so its name says how old the data is.
    const dataFrom = dataTime ? `_dados_das_${formatDateTime(dataTime).slice(11).replace(":", "h")}` : "";
    return streamText(limitExport(seller.id, read(streamCsv(seller.id, filter))), {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="relatorio_vendas_${dayOf(now)}${dataFrom}.csv"`,
    });
  });
}
