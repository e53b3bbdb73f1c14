import { createCookie } from "@remix-run/node";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** As long as somebody may look for the mail. */
const LASTS = HOUR;
/** What was sealed for something else is none of ours. */
const PREFIX = "registered:";

const cookie = createCookie(cookieName("cadastro"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: LASTS / SECOND,
});

/** The `Set-Cookie` by which a browser knows that an account was opened in it, with its password. */
export function rememberRegistration(sellerId: string): Promise<string> {
  return cookie.serialize(seal(`${PREFIX}${sellerId} ${Date.now()}`));
}

/** The account that was opened in this browser within the hour; null where none was. */
export async function recallRegistration(request: Request): Promise<string | null> {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return null;
  try {
    const text = unseal(sealed);
    const [sellerId = "", at] = text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(" ") : [];
    return isUuid(sellerId) && Date.now() - Number(at) < LASTS ? sellerId : null;
  } catch {
    // Changed on its way, or sealed with another APP_SECRET.
    return null;
  }
}

/** The `Set-Cookie` that makes the browser forget it. */
export function forgetRegistration(): Promise<string> {
  return cookie.serialize("", { maxAge: 0 });
}
