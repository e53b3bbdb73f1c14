import { z } from "zod";
import { listTrackedProducts, saveTrackedProducts } from "#app/domain/tracking/product-list.server.ts";
import { productsForm } from "#app/domain/tracking/tracking-form.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { done } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Which products are reported. A POST takes a map of product id to on or off. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Quais produtos são informados à UTMify",
      needs: "read",
      answer: z.array(z.object({ product_id: z.int(), is_enabled: z.boolean() })),
      example: {},
    },
    async ({ seller }) => {
      const products = await listTrackedProducts(seller.id);
      return products.map(({ id, isEnabled }) => ({ product_id: id, is_enabled: isEnabled }));
    },
  ),
  POST: method(
    {
      summary: "Liga ou desliga produtos, pelo número de cada um",
      needs: "settings",
      body: productsForm,
      answer: done,
      example: { body: { $PRODUCT: true } },
    },
    async ({ seller, read }) => {
      const wanted = Object.entries(await read());
      await saveTrackedProducts(seller.id, new Map(wanted.map(([id, on]) => [Number(id), on])));
      return { success: true };
    },
  ),
});
