import { z } from "zod";
import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import {
  type DeliveryFilter,
  listDeliveries,
  readDeliveryStatus,
} from "#app/domain/reports/list-deliveries.server.ts";
import { deliveryJson } from "#app/domain/reports/sale-json.ts";
import { readPlaces } from "#app/domain/reports/sales-filter.ts";
import { deliveryAnswer } from "#app/routes/api/sales/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { rangeQuery } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { pageQuery, readLimit, saleLinks } from "#app/web/paging.server.ts";

const query = z.object({
  range: rangeQuery.shape.range.unwrap().optional().meta({ description: "Período até hoje; sem ele, tudo" }),
  status: z.string().optional().meta({ description: "Como saiu, como em delivery_status" }),
  ...pageQuery.shape,
});

/** The seller's mails to buyers, newest first: of all time, or of a `range`; by pages. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os e-mails aos compradores, do mais novo ao mais antigo",
      needs: "read",
      query,
      answer: z.array(deliveryAnswer),
      paged: true,
      example: { query: { limit: "2" } },
    },
    async ({ request, seller }) => {
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
        saleLinks(url, page),
      );
    },
  ),
});
