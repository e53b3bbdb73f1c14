import { createCookie } from "@remix-run/node";
import { DAY, SECOND } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** As long as it helps somebody to hear that they bought a product already. */
const LASTS = 180 * DAY;
/** Every request carries them; whoever places more has paid for the oldest or forgotten it. */
const MOST = 10;
/** What was sealed for something else is none of ours. */
const PREFIX = "sales:";

const cookie = createCookie(cookieName("compras"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: LASTS / SECOND,
});

/**
 * The sales that were placed in this browser, newest first: how an order is known to be its own. Ids alone, encrypted, so
 * that whoever reads the cookie finds nothing about the buyer and no way to a purchase.
 */
export async function recallSales(request: Request): Promise<string[]> {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return [];
  try {
    const text = unseal(sealed);
    return text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(" ").filter(isUuid) : [];
  } catch {
    // Changed on its way, or sealed with another APP_SECRET.
    return [];
  }
}

/** The `Set-Cookie` by which this browser knows that it placed a sale. */
export async function rememberSale(request: Request, saleId: string): Promise<string> {
  const others = (await recallSales(request)).filter((id) => id !== saleId);
  return cookie.serialize(seal(PREFIX + [saleId, ...others].slice(0, MOST).join(" ")));
}
