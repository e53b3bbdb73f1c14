import { createCookie } from "@remix-run/node";
import { findPortalBuyer, PORTAL_LIFETIME } from "#app/domain/buyer/open-portal.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** The token of the buyer portal; its row stores only the hash. Independent of a seller's session. */
const cookie = createCookie(cookieName("comprador"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: PORTAL_LIFETIME / SECOND,
});

/** The `Set-Cookie` that opens the buyer portal in a browser. */
export function portalCookie(token: string): Promise<string> {
  return cookie.serialize(token);
}

/** The `Set-Cookie` that ends it. */
export function endPortalCookie(): Promise<string> {
  return cookie.serialize("", { maxAge: 0 });
}

/** The portal token of a request, or null. */
export async function portalToken(request: Request): Promise<string | null> {
  const value: unknown = await cookie.parse(request.headers.get("cookie"));
  return typeof value === "string" && value.length > 0 ? value : null;
}

/** The buyer whose purchases this browser may see, or null. */
export async function currentBuyer(request: Request): Promise<{ email: string } | null> {
  const token = await portalToken(request);
  return token ? findPortalBuyer(token) : null;
}
