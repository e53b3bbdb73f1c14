import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { productBody } from "#app/domain/catalog/product-form.server.ts";
import { toOwnProductJson } from "#app/domain/catalog/product-json.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { productAnswer } from "#app/routes/api/product-answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";

const params = { productId: "$PRODUCT" };

/** One product. PUT replaces its fields; `is_active`, `orderBumps` and `upsells` are unchanged if left out. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Um produto, com order bumps e ofertas",
      needs: "read",
      answer: productAnswer,
      versioned: true,
      example: { params },
    },
    async ({ seller, params }) =>
      toOwnProductJson(await findProduct(seller.id, parseProductId(params.productId))),
  ),
  PUT: method(
    {
      summary: "Substitui os dados de um produto",
      details:
        "is_active, orderBumps e upsells ficam como estão quando não são enviados, e cada item dessas listas sem is_active também. Os outros campos que faltam ficam sem valor, checkout_slug, imagens e textos também: leia o produto antes e envie tudo.",
      needs: "settings",
      body: productBody,
      max: MAX_SELLER_BODY,
      answer: productAnswer,
      versioned: true,
      example: {
        params,
        body: { name: "Curso de Violão", price: 97, file_url: "https://arquivos.exemplo.com.br/curso.pdf" },
      },
    },
    async ({ seller, params, readVersioned }) => {
      const id = parseProductId(params.productId);
      // Another seller's product is a 404, whatever the body contains.
      await findProduct(seller.id, id);
      const { fields, version } = await readVersioned();
      await updateProduct(seller.id, id, fields, version);
      return toOwnProductJson(await findProduct(seller.id, id));
    },
  ),
  DELETE: method(
    {
      summary: "Apaga um produto; as vendas dele ficam",
      needs: "settings",
      answer: successBody,
      conditional: true,
      example: { params },
    },
    async ({ seller, params, ifMatch }) => {
      await deleteProduct(seller.id, parseProductId(params.productId), ifMatch);
      return { success: true };
    },
  ),
});
