import { createCookie, redirect } from "@remix-run/node";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** One sentence from an action to the page it leads to; shown once, by the desk's frame. */
const cookie = createCookie(cookieName("aviso"), {
  path: "/",
  sameSite: "lax",
  httpOnly: true,
  secure: SECURE,
  maxAge: MINUTE / SECOND,
});

/** A redirect whose page says `message` ('Perfil salvo'). */
export async function redirectSaying(to: string, message: string): Promise<Response> {
  return redirect(to, { headers: { "Set-Cookie": await flashCookie(message) } });
}

/** The `Set-Cookie` that has the next page say `message`. */
export function flashCookie(message: string): Promise<string> {
  return cookie.serialize(message);
}

/** The sentence a request brings, and the headers that forget it. */
export async function readFlash(request: Request): Promise<{ flash: string | null; headers: HeadersInit }> {
  const value: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof value !== "string" || value === "") return { flash: null, headers: {} };
  return { flash: value, headers: { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) } };
}
