import { cleanMail } from "#app/kit/buyer-fields.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { FindPurchasePage, type LinkRequestTexts } from "#app/ui/buyer/find-purchase-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** A page with a form for an e-mail address. */
export function renderLinkRequest(texts: LinkRequestTexts): Promise<Response> {
  return show(texts, { email: "", error: null, sent: false });
}

/**
 * Limits requests for the posted address and has `send` mail the link. The response is the same whether it bought anything
 * or not.
 */
export async function requestLink(
  request: Request,
  data: FormData,
  texts: LinkRequestTexts,
  send: (email: string) => Promise<void>,
): Promise<Response> {
  const email = cleanMail(String(data.get("email") ?? "").slice(0, 300));
  if (!isMailAddress(email)) {
    const error = email === "" ? "E-mail é obrigatório" : "E-mail inválido";
    return show(texts, { email, error, sent: false }, 400);
  }
  try {
    await throttle("access", request, email);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    const view = { email, error: failure.message, sent: false };
    return show(texts, view, failure.status, retryHeaders(failure));
  }
  await send(email);
  return show(texts, { email, error: null, sent: true });
}

type View = { email: string; error: string | null; sent: boolean };

async function show(
  texts: LinkRequestTexts,
  view: View,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const title = view.sent ? "Confira o seu e-mail" : texts.title;
  const children = <FindPurchasePage {...{ texts }} {...view} />;
  return pageResponse(await renderPage(BUYER_SHELL, { title, script: "form" as const, children }), {
    status,
    headers,
  });
}
