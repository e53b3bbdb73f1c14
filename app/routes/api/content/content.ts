import { z } from "zod";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { newItemBody, orderBody } from "#app/domain/content/content-form.server.ts";
import { toContentJson, toItemJson } from "#app/domain/content/content-json.server.ts";
import { findContent, findItem } from "#app/domain/content/find-item.server.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { ownerKey, readOwner } from "#app/domain/content/lock-own-content.server.ts";
import { orderItems } from "#app/domain/content/order-items.server.ts";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { contentAnswer, itemAnswer } from "#app/routes/api/content/answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";

const params = { productId: "$PRODUCT" };

/** What buyers of a product, its bumps and its upsells get. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O que recebe quem compra um produto, seus order bumps e suas ofertas",
      needs: "read",
      answer: z.array(contentAnswer),
      example: { params },
    },
    async ({ seller, params }) =>
      (await listContent(seller.id, parseProductId(params.productId))).map(toContentJson),
  ),
  POST: method(
    {
      summary: "Inclui um link ou um texto no conteúdo de um produto, order bump ou oferta",
      details:
        "for diz de quem é o conteúdo: product, bump-1002 ou offer-1003; o que foi removido, como a lista o diz. Um link tem url, um texto tem html; um arquivo entra por /api/uploads. Quem já comprou recebe também o que entra agora, menos por uma oferta com content_item_ids: por ela chega só o que está nessa lista.",
      needs: "settings",
      body: newItemBody,
      max: MAX_SELLER_BODY,
      answer: itemAnswer,
      status: 201,
      example: {
        params,
        body: { kind: "link", name: "Grupo dos alunos", url: "https://exemplo.com.br/grupo" },
      },
    },
    async ({ seller, params, read }) => {
      const id = parseProductId(params.productId);
      const { for: key, ...item } = await read();
      const itemId = await addItem(seller.id, id, readOwner(id, key), item);
      return json(toItemJson(await findItem(seller.id, id, itemId)), 201);
    },
  ),
  PUT: method(
    {
      summary: "Põe os itens de um conteúdo em ordem",
      details:
        "items tem os ids de todos os itens, cada um uma vez. version é order_version da leitura; sem ela vale o que foi enviado.",
      needs: "settings",
      body: orderBody,
      answer: contentAnswer,
      example: { params, body: { for: "product", items: ["$ITEM"] } },
    },
    async ({ seller, params, read }) => {
      const id = parseProductId(params.productId);
      const { for: key, items, version } = await read();
      const owner = readOwner(id, key);
      await orderItems(seller.id, { productId: id, owner }, items, version);
      return toContentJson(await findContent(seller.id, id, ownerKey(owner)));
    },
  ),
});
