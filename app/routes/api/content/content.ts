import { z } from "zod";
import { productId } from "#app/domain/catalog/product-id.ts";
import { newItemBody, orderBody } from "#app/domain/content/content-form.server.ts";
import { contentJson, itemJson } from "#app/domain/content/content-json.server.ts";
import { findContent, findItem } from "#app/domain/content/find-item.server.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { orderItems } from "#app/domain/content/order-items.server.ts";
import { ownerName, readOwner } from "#app/domain/content/owner.ts";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { contentAnswer, itemAnswer } from "#app/routes/api/content/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const params = { productId: "$PRODUCT" };

/** What buyers of a product, its bumps and its offers get. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O que recebe quem compra um produto, seus order bumps e suas ofertas",
      needs: "read",
      answer: z.array(contentAnswer),
      example: { params },
    },
    async ({ seller, params }) =>
      (await listContent(seller.id, productId(params.productId))).map(contentJson),
  ),
  POST: method(
    {
      summary: "Inclui um link ou um texto no conteúdo de um produto, order bump ou oferta",
      details:
        "for diz de quem é o conteúdo: product, bump-1002 ou offer-1003. Um arquivo entra por /api/uploads. Quem já comprou recebe também o que entra agora.",
      needs: "settings",
      body: newItemBody,
      max: SELLERS_BODY,
      answer: itemAnswer,
      status: 201,
      example: {
        params,
        body: { kind: "link", name: "Grupo dos alunos", url: "https://exemplo.com.br/grupo" },
      },
    },
    async ({ seller, params, read }) => {
      const id = productId(params.productId);
      const { for: key, ...item } = await read();
      const itemId = await addItem(seller.id, id, readOwner(id, key), item);
      return json(itemJson(await findItem(seller.id, id, itemId)), 201);
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
      const id = productId(params.productId);
      const { for: key, items, version } = await read();
      const owner = readOwner(id, key);
      await orderItems(seller.id, { productId: id, owner }, items, version);
      return contentJson(await findContent(seller.id, id, ownerName(owner)));
    },
  ),
});
