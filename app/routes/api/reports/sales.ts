import { z } from "zod";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { toSaleJson } from "#app/domain/reports/sale-json.ts";
import { METHOD_FILTERS, readSalesFilter, STATUS_FILTERS } from "#app/domain/reports/sales-filter.ts";
import { CURSORS, readCursors } from "#app/kit/paginate.ts";
import { saleAnswer } from "#app/routes/api/sale-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageQuery, readLimit, saleCursorLinks } from "#app/server/api/paging.server.ts";
import { rangeQuery } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const query = rangeQuery.extend({
  status: z.enum([...STATUS_FILTERS, "paid"]).default("all"),
  method: z.enum(METHOD_FILTERS).optional().meta({ description: "Só as vendas deste método de pagamento" }),
  product: z.int().optional().meta({ description: "O número de um produto" }),
  coupon: z.uuid().optional().meta({ description: "O id de um cupom" }),
  offer: z.uuid().optional().meta({ description: "O id de uma oferta" }),
  search: z.string().max(100).optional().meta({
    description:
      "O começo de palavras do nome, o do e-mail (com o @), o do id da venda, ou o id da transação",
  }),
  ...pageQuery(CURSORS.timeAndId).shape,
});

/** A seller's sales, newest first, paginated. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "As vendas de um período, da mais nova à mais antiga",
      needs: "read",
      query,
      answer: z.array(saleAnswer),
      paged: true,
      example: { query: { range: "30d", status: "completed", limit: "2" } },
    },
    async ({ request, seller }) => {
      const url = new URL(request.url);
      const page = await listSales(seller.id, readSalesFilter(url.searchParams, new Date()), {
        limit: readLimit(url),
        ...readCursors(url.searchParams),
      });
      return json(page.items.map(toSaleJson), 200, saleCursorLinks(url, page));
    },
  ),
});
