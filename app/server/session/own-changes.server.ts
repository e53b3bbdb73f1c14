import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { MAX_AGE } from "#app/db/replica/check-replica.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

const NAME = cookieName("alterado");
const SESSION = `${cookieName("sessao")}=`;

/**
 * Where there is a replica: each answer to a form or a change that a signed-in browser sent tells it when that was, so that
 * its next reports contain the change. Nothing depends on what a browser claims but which server is read.
 */
export function rememberChanges(): void {
  if (!env.DATABASE_REPLICA_URL) return;
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method, headers } = request;
    if (method === "GET" || method === "HEAD" || !headers.cookie?.includes(SESSION)) return;
    onHeaders(response, () => {
      const attributes = `Path=/; Max-Age=${MAX_AGE / SECOND}; HttpOnly; SameSite=Lax${SECURE ? "; Secure" : ""}`;
      response.appendHeader("Set-Cookie", `${NAME}=${Date.now()}; ${attributes}`);
    });
  });
}

/** When this browser last changed something, in milliseconds since 1970; 0 where that is long ago. */
export function lastChange(request: Request): number {
  const cookies = (request.headers.get("cookie") ?? "").split(";");
  const own = cookies.find((cookie) => cookie.trim().startsWith(`${NAME}=`));
  return Number(own?.split("=")[1]) || 0;
}
