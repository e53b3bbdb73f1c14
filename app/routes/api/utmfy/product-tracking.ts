import { z } from "zod";
import { pageTrackedProducts } from "#app/domain/delivery/utmify/product-list.server.ts";
import { saveTrackedProducts } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { productsForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { CURSORS, readNamedCursors } from "#app/kit/paginate.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/server/api/paging.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const byName = pageQuery(CURSORS.numberAndName);

/** Which products are reported. A POST accepts a map of product id to on or off. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Quais produtos são informados à UTMify, por nome",
      needs: "read",
      query: byName.extend({
        before: byName.shape.before.meta({ description: "Depois deste: vem pronto no Link rel=next" }),
        after: byName.shape.after.meta({ description: "Antes deste: vem pronto no Link rel=prev" }),
      }),
      answer: z.array(z.object({ product_id: z.int(), is_enabled: z.boolean() })),
      paged: true,
      example: { query: { limit: "2" } },
    },
    async ({ request, seller }) => {
      const url = new URL(request.url);
      const page = await pageTrackedProducts(seller.id, {
        limit: readLimit(url),
        ...readNamedCursors(url.searchParams),
      });
      return json(
        page.items.map(({ id, isEnabled }) => ({ product_id: id, is_enabled: isEnabled })),
        200,
        pageLinks(url, page, ({ id, name }) => `${id}~${name}`),
      );
    },
  ),
  POST: method(
    {
      summary: "Liga ou desliga produtos, pelo número de cada um",
      needs: "settings",
      body: productsForm,
      answer: successBody,
      example: { body: { $PRODUCT: true } },
    },
    async ({ seller, read }) => {
      const wanted = Object.entries(await read());
      await saveTrackedProducts(seller.id, new Map(wanted.map(([id, on]) => [Number(id), on])));
      return { success: true };
    },
  ),
});
