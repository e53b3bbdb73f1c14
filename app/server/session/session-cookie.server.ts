import { createCookie } from "@remix-run/node";
import { SESSION_LIFETIME } from "#app/domain/identity/access/open-session.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** The session's token; its row stores only the hash. */
const sessionCookie = createCookie(cookieName("sessao"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
  maxAge: SESSION_LIFETIME / 1000,
});

/** The `Set-Cookie` that signs a browser in. */
export function signInCookie(token: string): Promise<string> {
  return sessionCookie.serialize(token);
}

/** The `Set-Cookie` that signs a browser out. */
export function signOutCookie(): Promise<string> {
  return sessionCookie.serialize("", { maxAge: 0 });
}

/** The session token of a request, or null. */
export async function sessionToken(request: Request): Promise<string | null> {
  const value: unknown = await sessionCookie.parse(request.headers.get("cookie"));
  return typeof value === "string" && value.length > 0 ? value : null;
}
