import { createCookie } from "@remix-run/node";
import { DAY, SECOND } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** As long as it is useful to know that a product was bought already. */
const LIFETIME = 180 * DAY;
/** Every request sends them; a buyer with more has paid the oldest or abandoned it. */
const MAX_SALES = 10;
/** Distinguishes it from other sealed texts. */
const PREFIX = "sales:";

const cookie = createCookie(cookieName("compras"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: LIFETIME / SECOND,
});

/**
 * The sales that were placed in this browser, newest first, by which it is recognized as their buyer's. Only ids,
 * encrypted, so that the cookie reveals nothing about the buyer or their purchases.
 */
export async function recallSales(request: Request): Promise<string[]> {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return [];
  try {
    const text = unseal(sealed);
    return text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(" ").filter(isUuid) : [];
  } catch {
    // Modified, or sealed with another APP_SECRET.
    return [];
  }
}

/** The `Set-Cookie` that adds a sale placed in this browser. */
export async function rememberSale(request: Request, saleId: string): Promise<string> {
  const others = (await recallSales(request)).filter((id) => id !== saleId);
  return cookie.serialize(seal(PREFIX + [saleId, ...others].slice(0, MAX_SALES).join(" ")));
}
