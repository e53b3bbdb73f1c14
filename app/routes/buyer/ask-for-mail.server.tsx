import { cleanMail } from "#app/kit/buyer-fields.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { type AskWords, FindPurchasePage } from "#app/ui/buyer/find-purchase-page.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";

/** A page that asks for an address. */
export function askPage(words: AskWords): Response {
  return show(words, { email: "", error: null, sent: false });
}

/**
 * Takes the address that was posted, counts it and has `send` mail it. The answer is the same whether it bought anything
 * or not.
 */
export async function takeAddress(
  request: Request,
  data: FormData,
  words: AskWords,
  send: (email: string) => Promise<void>,
): Promise<Response> {
  const email = cleanMail(String(data.get("email") ?? "").slice(0, 300));
  if (!isMailAddress(email)) {
    const error = email === "" ? "E-mail é obrigatório" : "E-mail inválido";
    return show(words, { email, error, sent: false }, 400);
  }
  try {
    await throttle("access", request, email);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    const view = { email, error: failure.message, sent: false };
    return show(words, view, failure.status, retryHeaders(failure));
  }
  await send(email);
  return show(words, { email, error: null, sent: true });
}

type View = { email: string; error: string | null; sent: boolean };

function show(words: AskWords, view: View, status = 200, headers: Record<string, string> = {}): Response {
  const title = view.sent ? "Confira o seu e-mail" : words.title;
  const children = <FindPurchasePage {...{ words }} {...view} />;
  return respond(renderPage(LOOK, { title, isForm: true, children }), { status, headers });
}
