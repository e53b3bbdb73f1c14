import { offersForSale } from "#app/domain/catalog/offers-for-sale.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { offerJson } from "#app/domain/catalog/product-json.ts";
import { endpoint, json } from "#app/web/api.server.ts";

/** A product's active upsell offers; public, since buyers' pages read it. */
export const { loader, action } = endpoint({
  GET: async ({ params }) => json((await offersForSale(productId(params.productId))).map(offerJson)),
});
