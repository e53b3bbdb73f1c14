import { redirect } from "@remix-run/node";
import { findApiKey, type KeyHolder } from "#app/domain/identity/find-api-key.server.ts";
import { findSession, type SignedIn } from "#app/domain/identity/find-session.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isCrossSite } from "#app/web/headers.server.ts";
import { refusedPage } from "#app/web/pages.server.ts";
import { sessionToken, signOutCookie } from "#app/web/session.server.ts";

/** The seller behind a request, or null. */
export async function currentSeller(request: Request): Promise<SignedIn | null> {
  const token = await sessionToken(request);
  return token ? findSession(token) : null;
}

/**
 * For pages: the signed-in seller. A stranger goes to `/login` and comes back afterwards; another site's form is refused.
 * @throws Response redirect or 403
 */
export async function requireSeller(request: Request): Promise<SignedIn> {
  refuseCrossSitePage(request);
  const signedIn = await currentSeller(request);
  if (signedIn) return signedIn;
  const { pathname, search } = new URL(request.url);
  const returnTo =
    request.method === "GET"
      ? pathname.replace(/\.data$/, "") + search.replace(/[?&]_routes=[^&]*/, "")
      : undefined;
  const hadCookie = await sessionToken(request);
  throw redirect(
    paths.login(returnTo),
    hadCookie ? { headers: { "Set-Cookie": await signOutCookie() } } : undefined,
  );
}

/**
 * For `/api`: the seller behind the session cookie or an API key (`Authorization: Bearer`), or 401. A request with a key
 * carries nothing a browser adds by itself, so where it comes from does not matter.
 */
export async function requireApiSeller(request: Request): Promise<KeyHolder> {
  const key = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!key) refuseCrossSite(request);
  const seller = key ? await findApiKey(key) : await currentSeller(request);
  if (seller) return seller;
  throw new Refusal("unauthorized", "Faça login para continuar");
}

/** What changes state does not do so on another site's word. @throws Refusal forbidden */
export function refuseCrossSite(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isCrossSite(request)) throw new Refusal("forbidden", "Este pedido veio de outro site e foi recusado");
}

/** The same for the action of a page, whose ErrorBoundary shows responses. @throws Response 403 */
export function refuseCrossSitePage(request: Request): void {
  try {
    refuseCrossSite(request);
  } catch (error) {
    throw error instanceof Refusal ? refusedPage(error, request) : error;
  }
}
