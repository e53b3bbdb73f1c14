import { z } from "zod";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { readPageQuery, writePlace } from "#app/domain/catalog/page-query.ts";
import { newProductBody } from "#app/domain/catalog/product-form.server.ts";
import { listedProductJson, ownProductJson } from "#app/domain/catalog/product-json.server.ts";
import { listedProductAnswer, productAnswer } from "#app/routes/api/products/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/web/paging.server.ts";

/** The seller's products, newest first, by pages. POST makes one. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os produtos, do mais novo ao mais antigo",
      needs: "read",
      query: pageQuery.extend({
        search: z.string().optional().meta({ description: "Parte do nome" }),
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
      return json(page.items.map(listedProductJson), 200, pageLinks(url, page, writePlace));
    },
  ),
  POST: method(
    {
      summary: "Cria um produto",
      needs: "settings",
      body: newProductBody,
      max: SELLERS_BODY,
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
      return json(ownProductJson(await findProduct(seller.id, id)), 201);
    },
  ),
});
