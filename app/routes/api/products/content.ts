import { z } from "zod";
import { productId } from "#app/domain/catalog/product-id.ts";
import { contentJson } from "#app/domain/content/content-json.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { maybeText } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const answer = z.array(
  z.object({
    for: z.string(),
    name: z.string(),
    file_url: maybeText,
    items: z.array(
      z.object({
        id: z.uuid(),
        kind: z.enum(["file", "link", "text"]),
        name: z.string(),
        url: maybeText,
        html: maybeText,
        file: z.object({ name: z.string(), size: z.int(), content_type: maybeText }).nullable(),
      }),
    ),
  }),
);

/** What buyers of a product, its bumps and its offers get. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O que recebe quem compra um produto, seus order bumps e suas ofertas",
      needs: "read",
      answer,
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ seller, params }) =>
      (await listContent(seller.id, productId(params.productId))).map(contentJson),
  ),
});
