import { z } from "zod";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { toBumpJson } from "#app/domain/catalog/product-json.server.ts";
import { bumpAnswer } from "#app/routes/api/product-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** All order bumps of a product, for its seller. A product has at most `MAX_ROWS`. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os order bumps de um produto",
      needs: "read",
      answer: z.array(bumpAnswer),
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ seller, params }) => {
      const { bumps } = await findProduct(seller.id, parseProductId(params.productId));
      return json(bumps.map(toBumpJson));
    },
  ),
});
