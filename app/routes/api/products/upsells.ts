import { z } from "zod";
import { listUpsellsForSale } from "#app/domain/catalog/list-upsells-for-sale.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { toUpsellJson } from "#app/domain/catalog/product-json.server.ts";
import { upsellAnswer } from "#app/routes/api/product-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** A product's active upsells, at most `MAX_ROWS`; public, for who shows them on a page of their own. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "As ofertas de um produto que estão ativas, enquanto ele está à venda",
      answer: z.array(upsellAnswer),
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ params }) =>
      json((await listUpsellsForSale(parseProductId(params.productId))).map(toUpsellJson)),
  ),
});
