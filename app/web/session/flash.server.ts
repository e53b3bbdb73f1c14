import { randomUUID } from "node:crypto";
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

type Tone = "success" | "error";

/** What a page says at its top, once. Another saying has another `id`, though the words be the same. */
type Flash = { id: string; tone: Tone; text: string };

/** A redirect whose page says `message` ('Perfil salvo'). */
export async function redirectSaying(to: string, message: string, tone?: Tone): Promise<Response> {
  return redirect(to, { headers: { "Set-Cookie": await flashCookie(message, tone) } });
}

/** The `Set-Cookie` that has the next page say `message`. */
export function flashCookie(message: string, tone: Tone = "success"): Promise<string> {
  return cookie.serialize([tone, message]);
}

/** The sentence a request brings, and the headers that forget it. */
export async function readFlash(request: Request): Promise<{ flash: Flash | null; headers: HeadersInit }> {
  const value: unknown = await cookie.parse(request.headers.get("cookie"));
  if (!Array.isArray(value) || typeof value[1] !== "string") return { flash: null, headers: {} };
  const tone = value[0] === "error" ? "error" : "success";
  return {
    flash: { id: randomUUID(), tone, text: value[1] },
    headers: { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) },
  };
}
