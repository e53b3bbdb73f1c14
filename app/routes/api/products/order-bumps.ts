import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { bumpJson } from "#app/domain/catalog/product-json.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** All order bumps of a product, for its seller. */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "read");
    const { bumps } = await findProduct(seller.id, productId(params.productId));
    return json(bumps.map(bumpJson));
  },
});
