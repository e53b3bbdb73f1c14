import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { askForPlace } from "#app/domain/buyer/ask-for-place.server.ts";
import { paths } from "#app/kit/paths.ts";
import { askPage, takeAddress } from "#app/routes/buyer/ask-for-mail.server.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage } from "#app/web/buyer/page.server.tsx";
import { formOf } from "#app/web/forms.server.ts";
import { currentBuyer } from "#app/web/session/buyer-cookie.server.ts";

const WORDS = {
  title: "Pedir reembolso",
  lead: "Informe o e-mail da compra. Enviamos um link que abre as suas compras: escolha a que quer devolver. Na garantia, que é de 7 dias ou mais, o dinheiro volta sem precisar explicar.",
  sent: "o link para pedir o reembolso chega em instantes e vale por 30 minutos.",
  button: "Receber o link",
};

/** The way back begins in the buyer's place: whoever is there already picks the purchase. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) =>
    (await currentBuyer(request)) ? redirect(paths.purchases()) : askPage(WORDS),
  );
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) =>
    takeAddress(request, await formOf(request), WORDS, askForPlace),
  );
}
