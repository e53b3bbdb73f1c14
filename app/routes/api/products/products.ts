import { z } from "zod";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { readPageQuery } from "#app/domain/catalog/page-query.ts";
import { newProductBody } from "#app/domain/catalog/product-form.server.ts";
import { toListedProductJson, toOwnProductJson } from "#app/domain/catalog/product-json.server.ts";
import { CURSORS, writeNumberedCursor } from "#app/kit/paginate.ts";
import { listedProductAnswer, productAnswer } from "#app/routes/api/product-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/server/api/paging.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";

/** The seller's products, newest first, paginated. POST creates one. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os produtos, do mais novo ao mais antigo",
      needs: "read",
      query: pageQuery(CURSORS.timeAndNumber).extend({
        search: z.string().max(100).optional().meta({ description: "Parte do nome" }),
      }),
      answer: z.array(listedProductAnswer),
      paged: true,
      example: { query: { limit: "2" } },
    },
    async ({ request, seller }) => {
      const url = new URL(request.url);
      const page = await listProducts(seller.id, {
        ...readPageQuery(url.searchParams),
        limit: readLimit(url),
      });
      return json(page.items.map(toListedProductJson), 200, pageLinks(url, page, writeNumberedCursor));
    },
  ),
  POST: method(
    {
      summary: "Cria um produto",
      needs: "settings",
      body: newProductBody,
      max: MAX_SELLER_BODY,
      answer: productAnswer,
      status: 201,
      example: {
        body: {
          name: "Curso de Cavaquinho",
          price: 97,
          file_url: "https://arquivos.exemplo.com.br/cavaquinho.pdf",
          orderBumps: [{ name: "Apostila", price: 19.9 }],
        },
      },
    },
    async ({ seller, read }) => {
      const id = await createProduct(seller.id, await read());
      return json(toOwnProductJson(await findProduct(seller.id, id)), 201);
    },
  ),
});
