import { z } from "zod";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { nullableText } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  google_user_data: z.object({ name: z.string(), picture: nullableText }),
});

/** The signed-in seller; 401 without a session. */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "De quem é a chave ou a sessão", needs: "read", answer, example: {} },
    async ({ seller: { id, email, name, pictureUrl } }) => {
      return { id, email, name, google_user_data: { name, picture: pictureUrl } };
    },
  ),
});
