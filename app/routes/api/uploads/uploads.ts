import { z } from "zod";
import { ownerField } from "#app/domain/content/content-form.server.ts";
import { toUploadJson } from "#app/domain/content/content-json.server.ts";
import { readOwner } from "#app/domain/content/lock-own-content.server.ts";
import { beginUpload, findUpload } from "#app/domain/content/upload.server.ts";
import { uploadAnswer } from "#app/routes/api/upload-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const body = z.object({
  product_id: z
    .union([z.int().positive(), z.string().regex(/^\d{1,15}$/)])
    .transform(Number)
    .meta({ title: "Produto" }),
  for: ownerField,
  name: z.string().min(1).max(1000).meta({ title: "Nome do arquivo" }),
  size: z.int().positive("O arquivo está vazio. Escolha outro.").meta({ title: "Tamanho em bytes" }),
  replaces: z.uuid().optional().meta({ title: "Item cujo arquivo este substitui" }),
});

/** Starts a file's upload; its parts follow at /api/uploads/:uploadId. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Anuncia um arquivo que vai ser enviado",
      details:
        "O arquivo segue em partes de part_size bytes por PUT /api/uploads/{uploadId}. Com a última ele entra no conteúdo do produto, ou no lugar do arquivo de replaces. Até 60 por minuto, e 100 que ainda não terminaram.",
      needs: "settings",
      body,
      answer: uploadAnswer,
      status: 201,
      rateLimited: true,
      example: { body: { product_id: "$PRODUCT", name: "apostila.pdf", size: 1_048_576 } },
    },
    async ({ seller, request, read }) => {
      await throttle("announce-file", request, seller.id);
      const { product_id: productId, for: owner, name, size, replaces } = await read();
      const upload = {
        productId,
        owner: readOwner(productId, owner),
        name,
        size,
        replacedItemId: replaces ?? null,
      };
      const id = await beginUpload(seller.id, upload);
      return json(toUploadJson(await findUpload(seller.id, id)), 201);
    },
  ),
});
