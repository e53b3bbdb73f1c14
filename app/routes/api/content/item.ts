import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { itemBody } from "#app/domain/content/content-form.server.ts";
import { toItemJson } from "#app/domain/content/content-json.server.ts";
import { findItem } from "#app/domain/content/find-item.server.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { changeItem } from "#app/domain/content/save-item.server.ts";
import { itemAnswer } from "#app/routes/api/content/answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";

const params = { productId: "$PRODUCT", itemId: "$ITEM" };

/** A file, link or text of a content. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Um item do conteúdo de um produto",
      needs: "read",
      answer: itemAnswer,
      versioned: true,
      example: { params },
    },
    async ({ seller, params }) =>
      toItemJson(await findItem(seller.id, parseProductId(params.productId), params.itemId!)),
  ),
  PUT: method(
    {
      summary: "Muda o nome de um item, o endereço de um link, o texto de um texto ou o carimbo de um PDF",
      details:
        "url, html e stamp ficam como estão quando não são enviados ou vêm vazios, e valem só para link, texto e arquivo. Ao ligar stamp, o PDF é testado: um que não pode ser carimbado é recusado.",
      needs: "settings",
      body: itemBody,
      max: MAX_SELLER_BODY,
      answer: itemAnswer,
      versioned: true,
      example: { params, body: { name: "Grupo dos alunos", url: "https://exemplo.com.br/grupo-novo" } },
    },
    async ({ seller, params, readVersioned }) => {
      const id = parseProductId(params.productId);
      // Another seller's item is a 404, whatever the body contains.
      const { id: itemId, kind } = await findItem(seller.id, id, params.itemId!);
      const { fields, version } = await readVersioned();
      await changeItem(seller.id, itemId, kind, ofKind(kind, fields), version);
      return toItemJson(await findItem(seller.id, id, itemId));
    },
  ),
  DELETE: method(
    {
      summary: "Tira um item do conteúdo; quem já comprou também deixa de tê-lo",
      needs: "settings",
      answer: successBody,
      conditional: true,
      example: { params },
    },
    async ({ seller, params, ifMatch }) => {
      const item = await findItem(seller.id, parseProductId(params.productId), params.itemId!);
      await removeItem(seller.id, item.id, ifMatch);
      return { success: true };
    },
  ),
});

type Fields = { name: string; url?: string | null; html?: string | null; stamp?: boolean | undefined };

/** The fields of an item, by its kind. */
function ofKind(kind: "file" | "link" | "text", { name, url, html, stamp }: Fields) {
  if (kind === "link") return { name, ...(url ? { url } : {}) };
  if (kind === "text") return { name, ...(html ? { html } : {}) };
  return { name, ...(stamp === undefined ? {} : { stamp }) };
}
