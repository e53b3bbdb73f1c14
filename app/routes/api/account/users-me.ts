import { endpoint } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Who is signed in: `{email, name, google_user_data: {name, picture}}`; 401 for a stranger. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const { id, email, name, pictureUrl } = await requireApiSeller(request, "read");
    return { id, email, name, google_user_data: { name, picture: pictureUrl } };
  },
});
