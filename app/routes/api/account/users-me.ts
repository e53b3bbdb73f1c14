import { z } from "zod";
import { endpoint } from "#app/web/api.server.ts";
import { maybeText } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const answer = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  google_user_data: z.object({ name: z.string(), picture: maybeText }),
});

/** Who is signed in; 401 for a stranger. */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "De quem é a chave ou a sessão", needs: "read", answer, example: {} },
    async ({ seller: { id, email, name, pictureUrl } }) => {
      return { id, email, name, google_user_data: { name, picture: pictureUrl } };
    },
  ),
});
