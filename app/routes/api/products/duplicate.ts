import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { toOwnProductJson } from "#app/domain/catalog/product-json.server.ts";
import { productAnswer } from "#app/routes/api/product-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Copies a product with its bumps and upsells; the copy is inactive. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Copia um produto; a cópia nasce inativa",
      details:
        "As ofertas não são copiadas, e cupons e destinos que escolhem ou deixam de fora o original nada fazem com a cópia.",
      needs: "settings",
      answer: productAnswer,
      status: 201,
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ seller, params }) => {
      const copy = await duplicateProduct(seller.id, parseProductId(params.productId));
      return json(toOwnProductJson(await findProduct(seller.id, copy.id)), 201);
    },
  ),
});
