import { createCookie } from "@remix-run/node";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** As long as somebody may wait for the mail. */
const LIFETIME = HOUR;
/** Distinguishes it from other sealed texts. */
const PREFIX = "registered:";

const cookie = createCookie(cookieName("cadastro"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: LIFETIME / SECOND,
});

/** The `Set-Cookie` that records that an account was created in this browser, with its password. */
export function rememberRegistration(sellerId: string): Promise<string> {
  return cookie.serialize(seal(`${PREFIX}${sellerId} ${Date.now()}`));
}

/** The account that was created in this browser within the hour; null if none was. */
export async function recallRegistration(request: Request): Promise<string | null> {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return null;
  try {
    const text = unseal(sealed);
    const [sellerId = "", at] = text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(" ") : [];
    return isUuid(sellerId) && Date.now() - Number(at) < LIFETIME ? sellerId : null;
  } catch {
    // Modified, or sealed with another APP_SECRET.
    return null;
  }
}

/** The `Set-Cookie` that deletes it. */
export function clearRegistration(): Promise<string> {
  return cookie.serialize("", { maxAge: 0 });
}
