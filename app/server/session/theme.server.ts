import { createCookie } from "@remix-run/node";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** The light/dark choice; null means the device's preference. */
export type Theme = "light" | "dark" | null;

const cookie = createCookie(cookieName("tema"), {
  path: "/",
  sameSite: "lax",
  httpOnly: true,
  secure: SECURE,
  maxAge: 365 * 24 * 60 * 60,
});

/** The theme in a request's cookie: known at the first byte, so nothing flashes. */
export async function readTheme(request: Request): Promise<Theme> {
  const value: unknown = await cookie.parse(request.headers.get("cookie"));
  return value === "light" || value === "dark" ? value : null;
}

/** The `Set-Cookie` that stores a choice. */
export function themeCookie(theme: Theme): Promise<string> {
  return cookie.serialize(theme);
}
