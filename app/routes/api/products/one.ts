import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productBody } from "#app/domain/catalog/product-form.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { ownProductJson } from "#app/domain/catalog/product-json.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { productAnswer } from "#app/routes/api/products/answers.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { done } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const params = { productId: "$PRODUCT" };

/** One product. PUT replaces its fields; `is_active`, `orderBumps` and `upsells` stay as they are where they are not sent. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Um produto, com order bumps e ofertas",
      needs: "read",
      answer: productAnswer,
      versioned: true,
      example: { params },
    },
    async ({ seller, params }) => ownProductJson(await findProduct(seller.id, productId(params.productId))),
  ),
  PUT: method(
    {
      summary: "Substitui os dados de um produto",
      details: "is_active, orderBumps e upsells ficam como estão quando não são enviados.",
      needs: "settings",
      body: productBody,
      max: SELLERS_BODY,
      answer: productAnswer,
      versioned: true,
      example: {
        params,
        body: { name: "Curso de Violão", price: 97, file_url: "https://arquivos.exemplo.com.br/curso.pdf" },
      },
    },
    async ({ seller, params, readVersioned }) => {
      const id = productId(params.productId);
      // Somebody else's product is not found, whatever the body says.
      await findProduct(seller.id, id);
      const { fields, version } = await readVersioned();
      await updateProduct(seller.id, id, fields, version);
      return ownProductJson(await findProduct(seller.id, id));
    },
  ),
  DELETE: method(
    {
      summary: "Apaga um produto; as vendas dele ficam",
      needs: "settings",
      answer: done,
      example: { params },
    },
    async ({ seller, params }) => {
      await deleteProduct(seller.id, productId(params.productId));
      return { success: true };
    },
  ),
});
