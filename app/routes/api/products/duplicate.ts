import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { ownProductJson } from "#app/domain/catalog/product-json.server.ts";
import { productAnswer } from "#app/routes/api/products/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Copies a product with its bumps and offers; the copy is inactive. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Copia um produto; a cópia nasce inativa",
      needs: "settings",
      answer: productAnswer,
      status: 201,
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ seller, params }) => {
      const copy = await duplicateProduct(seller.id, productId(params.productId));
      return json(ownProductJson(await findProduct(seller.id, copy.id)), 201);
    },
  ),
});
