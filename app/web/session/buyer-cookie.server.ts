import { createCookie } from "@remix-run/node";
import { findBuyer, PLACE_LIFETIME } from "#app/domain/buyer/open-place.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** The token of the buyer's place; the row it belongs to holds only its hash. Nothing of a seller's session. */
const cookie = createCookie(cookieName("comprador"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: PLACE_LIFETIME / SECOND,
});

/** The `Set-Cookie` by which a browser shows a buyer's purchases. */
export function enterPlace(token: string): Promise<string> {
  return cookie.serialize(token);
}

/** The `Set-Cookie` that ends it. */
export function leavePlace(): Promise<string> {
  return cookie.serialize("", { maxAge: 0 });
}

/** The token a request carries, or null. */
export async function placeToken(request: Request): Promise<string | null> {
  const value: unknown = await cookie.parse(request.headers.get("cookie"));
  return typeof value === "string" && value.length > 0 ? value : null;
}

/** Whose purchases this browser may see; null where nobody's. */
export async function currentBuyer(request: Request): Promise<{ email: string } | null> {
  const token = await placeToken(request);
  return token ? findBuyer(token) : null;
}
