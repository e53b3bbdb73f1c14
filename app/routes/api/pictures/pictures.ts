import { z } from "zod";
import { toUploadJson } from "#app/domain/content/content-json.server.ts";
import { findUpload } from "#app/domain/content/upload.server.ts";
import { beginPicture } from "#app/domain/picture/begin-picture.server.ts";
import { PICTURE_USES } from "#app/kit/files/pictures.ts";
import { uploadAnswer } from "#app/routes/api/upload-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const body = z.object({
  place: z
    .enum(PICTURE_USES, { error: "O lugar deve ser product, bump, offer, banner ou logo" })
    .meta({ title: "Onde a imagem aparece" }),
  name: z.string().min(1).max(1000).meta({ title: "Nome do arquivo" }),
  size: z.int().positive({ error: "A imagem está vazia" }).meta({ title: "Tamanho em bytes" }),
});

/** Starts a picture's upload; its parts follow at /api/uploads/:uploadId. */
export const { loader, action } = endpoint({
  POST: method(
    {
      summary: "Anuncia uma imagem que vai ser enviada",
      details:
        "A imagem segue em partes de part_size bytes por PUT /api/uploads/{uploadId}, com o id desta resposta. Depois da última ela é preparada: GET /api/pictures/{pictureId} diz quando está pronta, e o endereço que vai em image_url, banner_image_url, brand_logo_url ou logo_url. Até 30 por minuto, e 40 à espera de preparo.",
      needs: "settings",
      body,
      answer: uploadAnswer,
      status: 201,
      rateLimited: true,
      example: { body: { place: "product", name: "capa.jpg", size: 1_048_576 } },
    },
    async ({ seller, request, read }) => {
      await throttle("announce-picture", request, seller.id);
      const { place: use, name, size } = await read();
      const id = await beginPicture(seller.id, { use, name, size });
      return json(toUploadJson(await findUpload(seller.id, id)), 201);
    },
  ),
});
