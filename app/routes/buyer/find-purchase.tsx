import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { sendAccessLinks } from "#app/domain/access/send-access-links.server.ts";
import { askPage, takeAddress } from "#app/routes/buyer/ask-for-mail.server.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage } from "#app/web/buyer/page.server.tsx";
import { formOf } from "#app/web/forms.server.ts";

const WORDS = {
  title: "Já comprei",
  lead: "Enviamos o link de acesso para o e-mail usado na compra.",
  sent: "o link de acesso chega em instantes.",
  button: "Receber o link de acesso",
};

/** For buyers who lost the page of their purchase: the link goes to the address that bought, and nobody learns whether it did. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async () => askPage(WORDS));
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) =>
    takeAddress(request, await formOf(request), WORDS, sendAccessLinks),
  );
}
