import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { listProducts, type ProductPlace } from "#app/domain/catalog/list-products.server.ts";
import { readPageQuery, writePlace } from "#app/domain/catalog/page-query.ts";
import { newProductBody } from "#app/domain/catalog/product-form.server.ts";
import { listedProductJson, ownProductJson } from "#app/domain/catalog/product-json.ts";
import { endpoint, json, readJson } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/**
 * The seller's products, newest first: 100 an answer, `?limit=` up to 500, `?search=` part of a name; the next page's
 * address is in the `Link` header. POST makes one.
 */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const url = new URL(request.url);
    const limit = Math.min(Math.max(Math.trunc(Number(url.searchParams.get("limit"))) || 100, 1), 500);
    const page = await listProducts(seller.id, { ...readPageQuery(url.searchParams), limit });
    return json(
      page.items.map(listedProductJson),
      200,
      page.older ? { Link: nextLink(url, page.older) } : {},
    );
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    const id = await createProduct(seller.id, await readJson(request, newProductBody, SELLERS_BODY));
    return json(ownProductJson(await findProduct(seller.id, id)), 201);
  },
});

function nextLink(url: URL, before: ProductPlace): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete("after");
  query.set("before", writePlace(before));
  return `<${url.pathname}?${query}>; rel="next"`;
}
