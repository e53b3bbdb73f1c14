import { randomUUID } from "node:crypto";
import { createCookie, redirect } from "@remix-run/node";
import { truncate } from "#app/kit/clean-text.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** One message from an action to the next page; shown once, by the dashboard's layout. */
const cookie = createCookie(cookieName("aviso"), {
  path: "/",
  sameSite: "lax",
  httpOnly: true,
  secure: SECURE,
  maxAge: MINUTE / SECOND,
});

/** Browsers drop a cookie of more than 4096 bytes; a character may take four. */
const MAX_LENGTH = 800;

type Tone = "success" | "error";

/** A message at the top of a page, shown once. Each one has its own `id`, even with the same text. */
type Flash = { id: string; tone: Tone; text: string };

/** A redirect to a page that shows `message` ('Perfil salvo'). */
export async function redirectWithMessage(to: string, message: string, tone?: Tone): Promise<Response> {
  return redirect(to, { headers: { "Set-Cookie": await flashCookie(message, tone) } });
}

/** The `Set-Cookie` that makes the next page show `message`, or its beginning. */
export function flashCookie(message: string, tone: Tone = "success"): Promise<string> {
  const text = message.length > MAX_LENGTH ? `${truncate(message, MAX_LENGTH)}…` : message;
  return cookie.serialize([tone, text]);
}

/** The message of a request, and the headers that delete its cookie. */
export async function readFlash(request: Request): Promise<{ flash: Flash | null; headers: HeadersInit }> {
  const value: unknown = await cookie.parse(request.headers.get("cookie"));
  if (!Array.isArray(value) || typeof value[1] !== "string") return { flash: null, headers: {} };
  const tone = value[0] === "error" ? "error" : "success";
  return {
    flash: { id: randomUUID(), tone, text: value[1] },
    headers: { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) },
  };
}
