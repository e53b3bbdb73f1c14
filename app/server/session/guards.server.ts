import { redirect } from "@remix-run/node";
import { findApiKey, type KeyHolder } from "#app/domain/identity/access/find-api-key.server.ts";
import { findSession, type SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { pageAddress } from "#app/server/request/request-origin.server.ts";
import { refusedPage } from "#app/server/response/failure-response.server.ts";
import { holdInterrupted, SIGNS_IN_HERE_HEADER } from "#app/server/session/interrupted-form.server.ts";
import { accountInForm, accountInHeader } from "#app/server/session/page-account.server.ts";
import { refuseCrossSite, refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { sessionToken, signOutCookie } from "#app/server/session/session-cookie.server.ts";

/** Informs a page's script that the session ended before its form arrived: the script shows the password prompt over the page. */
const SESSION_ENDED = "X-Session-Ended";

/** The seller of a request, or null. */
export async function currentSeller(request: Request): Promise<SignedIn | null> {
  const token = await sessionToken(request);
  return token ? findSession(token) : null;
}

/**
 * For pages: the signed-in seller. Others are redirected to `/login` and back afterwards; another site's form is
 * refused. A seller with a closed account is redirected to where it can be reopened.
 * @throws Response redirect or 403
 */
export async function requireSeller(request: Request): Promise<SignedIn> {
  const seller = await requireSellerEvenClosed(request);
  if (seller.closedAt) throw redirect(paths.closing());
  return seller;
}

/**
 * The same where the account may be closed: for reopening it, exporting its data, and confirming one's identity.
 * @throws Response redirect or 403
 */
export async function requireSellerEvenClosed(request: Request): Promise<SignedIn> {
  refuseCrossSitePage(request);
  const signedIn = await currentSeller(request);
  const account = accountInHeader(request);
  if (signedIn && account && account !== signedIn.id) throw await ofAnotherAccount(request, account);
  if (signedIn) return signedIn;
  throw await redirectToSignIn(request);
}

/**
 * Refuses a form from the page of another account than the browser's: somebody signed in since in another tab. A
 * script's request was refused by its header already.
 * @throws Response
 */
export async function refuseOtherAccount(request: Request, posted: FormData): Promise<void> {
  const account = accountInForm(posted);
  if (!account || accountInHeader(request)) return;
  const signedIn = await currentSeller(request);
  if (signedIn && signedIn.id !== account) throw await ofAnotherAccount(request, account, posted);
}

/** The answer to such a form, which is held for the account of its page alone. */
async function ofAnotherAccount(request: Request, account: string, posted?: FormData): Promise<Response> {
  const headers = new Headers({ [SESSION_ENDED]: "other" });
  // The script reads the header and stays on its page; only a redirect's headers reach it.
  if (request.headers.has(SIGNS_IN_HERE_HEADER)) return redirect(pageAddress(request), { headers });
  const held = await holdInterrupted(request, { account, posted });
  if (held === null || held === "not-held") {
    const text =
      "Esta página é de outra conta, e neste navegador está aberta uma diferente. Nada foi mudado: entre na outra conta e faça de novo.";
    return refusedPage(new Refusal("conflict", text), request);
  }
  for (const cookie of held.cookies) headers.append("Set-Cookie", cookie);
  return redirect(paths.resumeForm(held.id), { headers });
}

/**
 * Redirects a browser whose session ended to the sign-in, and from there back to its page, or to the form it posted.
 */
async function redirectToSignIn(request: Request): Promise<Response> {
  const held = await holdInterrupted(request);
  const headers = new Headers({ [SESSION_ENDED]: "1" });
  // The post may be the second of a double click whose first one has just opened another session.
  if (request.method !== "POST" && (await sessionToken(request)))
    headers.append("Set-Cookie", await signOutCookie());
  if (held === "not-held") return redirect(paths.loginError("not_held"), { headers });
  for (const cookie of held?.cookies ?? []) headers.append("Set-Cookie", cookie);
  return redirect(paths.login(held ? paths.resumeForm(held.id) : pageAddress(request)), { headers });
}

/**
 * For `/api`: the seller of the session cookie, or of an API key (`Authorization: Bearer`) with the scope. A request
 * with a key carries nothing that a browser adds by itself, so its origin does not matter. `scope` null: any key.
 * @throws Refusal unauthorized; forbidden with a code if the key lacks the scope
 */
export async function requireApiSeller(request: Request, scope: Scope | null): Promise<SignedIn | KeyHolder> {
  const sent = request.headers.get("authorization");
  const key = /^Bearer\s+(\S+)$/i.exec(sent ?? "")?.[1];
  if (!key) refuseCrossSite(request);
  const seller = key ? await findApiKey(key) : await currentSeller(request);
  if (!seller) throw new Refusal("unauthorized", unauthorizedMessage(sent, key));
  if (seller.closedAt)
    throw new Refusal("forbidden", "Esta conta está encerrada", undefined, undefined, "account_closed");
  if (scope && "scopes" in seller && !seller.scopes.includes(scope))
    throw new Refusal(
      "forbidden",
      `Esta chave de API não tem a permissão “${scope}”`,
      undefined,
      undefined,
      "scope_required",
    );
  return seller;
}

/** A program has no login to make: it is told about its key. */
function unauthorizedMessage(sent: string | null, key: string | undefined): string {
  if (key) return "Esta chave de API não existe ou foi revogada, ou a conta dela foi encerrada";
  return sent === null
    ? "Faça login para continuar"
    : "Envie a chave de API assim, no cabeçalho Authorization: Bearer SUA_CHAVE";
}
