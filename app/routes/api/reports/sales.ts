import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { saleJson } from "#app/domain/reports/sale-json.ts";
import { readPlaces, readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { nextLink, readLimit } from "#app/web/paging.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** A seller's sales, newest first: `range`, `status`, also `product`, `search`, `limit`; a `Link` header names the next page. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const url = new URL(request.url);
    const page = await listSales(seller.id, readSalesFilter(url.searchParams, new Date()), {
      limit: readLimit(url),
      ...readPlaces(url.searchParams),
    });
    return json(page.items.map(saleJson), 200, nextLink(url, page.older));
  },
});
