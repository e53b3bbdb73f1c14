import { z } from "zod";
import { toUploadJson } from "#app/domain/content/content-json.server.ts";
import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { cancelUpload, findUpload } from "#app/domain/content/upload.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { MAX_PART_BYTES } from "#app/platform/storage/blob-store.ts";
import { uploadAnswer } from "#app/routes/api/upload-answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { streamBody } from "#app/server/request/read-bytes.server.ts";

/** Placeholder for the bytes in the example. */
const SAMPLE_BYTES = "os bytes do arquivo";
const params = { uploadId: "$UPLOAD" };

/** An upload: its progress, its next part, its cancellation. */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "Quanto de um arquivo já chegou", needs: "read", answer: uploadAnswer, example: { params } },
    async ({ seller, params }) => toUploadJson(await findUpload(seller.id, params.uploadId!)),
  ),
  PUT: method(
    {
      summary: "Envia a próxima parte de um arquivo",
      details:
        "O corpo são os bytes, a partir de offset, que é received da resposta anterior: part_size bytes, ou o que falta. De uma parte cortada pode ficar o que chegou. Uma parte fora de hora é recusada com o código wrong_offset; pergunte de onde seguir. De um arquivo vem uma parte por vez: a que começa por último vale. Com quatro partes da conta a caminho, a resposta é 429, com o código uploads_busy.",
      needs: "settings",
      bytes: "Os bytes da parte, a partir de offset",
      query: z.object({ offset: z.coerce.number().int().min(0) }),
      answer: uploadAnswer,
      example: { params, query: { offset: "0" }, body: SAMPLE_BYTES },
    },
    async ({ seller, params, request }) => {
      const file = await findUpload(seller.id, params.uploadId!);
      const offsetText = new URL(request.url).searchParams.get("offset") ?? "";
      if (!/^\d{1,15}$/.test(offsetText))
        throw new Refusal("invalid", "Diga offset: de que byte a parte começa");
      const offset = Number(offsetText);
      const announced = request.headers.get("content-length");
      const length = announced ? Number(announced) : Math.min(MAX_PART_BYTES, file.size - offset);
      const received = await receivePart(seller.id, file.id, { offset, length }, (signal) =>
        // One byte more, so that a part that is too long is detected.
        streamBody(request, MAX_PART_BYTES + 1, signal),
      );
      return toUploadJson(received);
    },
  ),
  DELETE: method(
    {
      summary: "Desiste de um arquivo que ainda não chegou inteiro",
      details:
        "cancelled é false se ele já tinha chegado inteiro: então fica no conteúdo, até o item ser removido.",
      needs: "settings",
      answer: successBody.extend({ cancelled: z.boolean() }),
      example: { params },
    },
    async ({ seller, params }) => {
      return { success: true as const, cancelled: await cancelUpload(seller.id, params.uploadId!) };
    },
  ),
});
