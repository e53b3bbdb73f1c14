import { z } from "zod";
import { offersForSale } from "#app/domain/catalog/offers-for-sale.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { offerJson } from "#app/domain/catalog/product-json.server.ts";
import { offerAnswer } from "#app/routes/api/products/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** A product's active upsell offers, at most `MAX_ROWS`; public, since buyers' pages read it. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "As ofertas de um produto que estão ativas",
      answer: z.array(offerAnswer),
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ params }) => json((await offersForSale(productId(params.productId))).map(offerJson)),
  ),
});
