import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productBody } from "#app/domain/catalog/product-form.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { ownProductJson } from "#app/domain/catalog/product-json.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** One product. PUT replaces its fields; `is_active`, `orderBumps` and `upsells` stay as they are where they are not sent. */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "read");
    return ownProductJson(await findProduct(seller.id, productId(params.productId)));
  },
  PUT: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "settings");
    const id = productId(params.productId);
    // Somebody else's product is not found, whatever the body says.
    await findProduct(seller.id, id);
    await updateProduct(seller.id, id, await readJson(request, productBody, SELLERS_BODY));
    return ownProductJson(await findProduct(seller.id, id));
  },
  DELETE: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "settings");
    await deleteProduct(seller.id, productId(params.productId));
    return { success: true };
  },
});
