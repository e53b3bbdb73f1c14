import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { sendAccessLinks } from "#app/domain/access/send-access-links.server.ts";
import { renderLinkRequest, requestLink } from "#app/routes/buyer/link-request.server.tsx";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage } from "#app/server/pages/buyer-page.server.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const TEXTS = {
  title: "Já comprei",
  lead: "Enviamos o link de acesso para o e-mail usado na compra.",
  sent: "o link de acesso chega em instantes.",
  button: "Receber o link de acesso",
};

/**
 * For buyers who lost their purchase's page: the link is mailed to the address that bought, and the response is the same
 * for any address.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async () => renderLinkRequest(TEXTS));
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) =>
    requestLink(request, await parseFormData(request), TEXTS, sendAccessLinks),
  );
}
