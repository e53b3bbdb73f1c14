import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { sendAccessLinks } from "#app/domain/access/send-access-links.server.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { FindPurchasePage } from "#app/ui/buyer/find-purchase-page.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";

/** For buyers who lost the page of their purchase: the link goes to the address that bought, and nobody learns whether it did. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async () => show({ email: "", error: null, sent: false }));
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) => {
    const data = await formOf(request);
    const email = String(data.get("email") ?? "")
      .trim()
      .toLowerCase()
      .slice(0, 300);
    if (!isMailAddress(email)) {
      const error = email === "" ? "E-mail é obrigatório" : "E-mail inválido";
      return show({ email, error, sent: false }, 400);
    }
    try {
      await throttle("access", request, email);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      const view = { email, error: failure.message, sent: false };
      return show(view, failure.status, retryHeaders(failure));
    }
    await sendAccessLinks(email);
    return show({ email, error: null, sent: true });
  });
}

type View = { email: string; error: string | null; sent: boolean };

function show(view: View, status = 200, headers: Record<string, string> = {}): Response {
  const title = view.sent ? "Confira o seu e-mail" : "Já comprei";
  const page = renderPage(LOOK, { title, isForm: true, children: <FindPurchasePage {...view} /> });
  return respond(page, { status, headers });
}
