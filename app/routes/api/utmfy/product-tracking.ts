import { listTrackedProducts, saveTrackedProducts } from "#app/domain/tracking/product-list.server.ts";
import { productsForm } from "#app/domain/tracking/tracking-form.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Which products are reported. A POST takes a map of product id to on or off. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireApiSeller(request, "read");
    const products = await listTrackedProducts(seller.id);
    return products.map(({ id, isEnabled }) => ({ product_id: id, is_enabled: isEnabled }));
  },
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    const wanted = Object.entries(await readJson(request, productsForm));
    await saveTrackedProducts(seller.id, new Map(wanted.map(([id, on]) => [Number(id), on])));
    return { success: true };
  },
});
