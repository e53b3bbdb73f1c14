import { findPicture } from "#app/domain/picture/find-picture.server.ts";
import { toPictureJson } from "#app/domain/picture/picture-json.server.ts";
import { pictureAnswer } from "#app/routes/api/pictures/answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** The processing state of an uploaded picture. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como está uma imagem enviada",
      details:
        "state: sending (chegando), preparing (sendo preparada), ready (pronta; url é o endereço) ou failed (recusada, ou o envio foi cancelado; message diz por quê). Enquanto estiver sendo preparada, pergunte de novo em um segundo.",
      needs: "read",
      answer: pictureAnswer,
      example: { params: { pictureId: "$PICTURE" } },
    },
    async ({ seller, params }) => toPictureJson(await findPicture(seller.id, params.pictureId!)),
  ),
});
