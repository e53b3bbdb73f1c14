import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import {
  type DeliveryFilter,
  listDeliveries,
  readDeliveryStatus,
} from "#app/domain/reports/list-deliveries.server.ts";
import { deliveryJson } from "#app/domain/reports/sale-json.ts";
import { readPlaces } from "#app/domain/reports/sales-filter.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { nextLink, readLimit } from "#app/web/paging.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** The seller's mails to buyers, newest first: of all time, or of a `range`; also `status`, `limit`. Paged by `Link`. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const url = new URL(request.url);
    const range = url.searchParams.get("range");
    const filter: DeliveryFilter = {
      period: range === null ? null : periodOf(readRange(range), new Date()),
      status: readDeliveryStatus(url.searchParams.get("status")),
    };
    const page = await listDeliveries(seller.id, filter, {
      limit: readLimit(url),
      ...readPlaces(url.searchParams),
    });
    return json(
      page.items.map((mail) => deliveryJson(mail, mail)),
      200,
      nextLink(url, page.older),
    );
  },
});
