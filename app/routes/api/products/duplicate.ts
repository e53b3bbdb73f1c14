import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { ownProductJson } from "#app/domain/catalog/product-json.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Copies a product with its bumps and offers; the copy is inactive. */
export const { loader, action } = endpoint({
  POST: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "settings");
    const copy = await duplicateProduct(seller.id, productId(params.productId));
    return json(ownProductJson(await findProduct(seller.id, copy.id)), 201);
  },
});
