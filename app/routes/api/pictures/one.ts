import { findPicture } from "#app/domain/picture/find-picture.server.ts";
import { pictureJson } from "#app/domain/picture/picture-json.server.ts";
import { pictureAnswer } from "#app/routes/api/pictures/answers.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** How a picture that was sent is doing. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como está uma imagem enviada",
      details:
        "state: sending (chegando), preparing (sendo preparada), ready (pronta; url é o endereço) ou failed (recusada; message diz por quê). Enquanto estiver sendo preparada, pergunte de novo em um segundo.",
      needs: "read",
      answer: pictureAnswer,
      example: { params: { pictureId: "$PICTURE" } },
    },
    async ({ seller, params }) => pictureJson(await findPicture(seller.id, params.pictureId!)),
  ),
});
