import { z } from "zod";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { bumpJson } from "#app/domain/catalog/product-json.server.ts";
import { bumpAnswer } from "#app/routes/api/products/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

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
      const { bumps } = await findProduct(seller.id, productId(params.productId));
      return json(bumps.map(bumpJson));
    },
  ),
});
