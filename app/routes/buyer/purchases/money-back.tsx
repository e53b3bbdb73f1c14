import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { paths } from "#app/kit/paths.ts";
import { renderLinkRequest, requestLink } from "#app/routes/buyer/link-request.server.tsx";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage } from "#app/server/pages/buyer-page.server.tsx";
import { currentBuyer } from "#app/server/session/portal-cookie.server.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const TEXTS = {
  title: "Pedir reembolso",
  lead: "Informe o e-mail da compra. Enviamos um link que abre as suas compras: escolha a que quer devolver. Na garantia, que é de 7 dias ou mais, o dinheiro volta sem precisar explicar.",
  sent: "o link para pedir o reembolso chega em instantes e vale por 30 minutos.",
  button: "Receber o link",
};

/** A refund request starts in the buyer portal: a visitor who is already signed in there selects the purchase. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) =>
    (await currentBuyer(request)) ? redirect(paths.purchases()) : renderLinkRequest(TEXTS),
  );
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) =>
    requestLink(request, await parseFormData(request), TEXTS, sendPortalLink),
  );
}
