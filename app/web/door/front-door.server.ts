import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { pick } from "#app/kit/pick.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { answerHeaders } from "#app/web/door/answer-headers.server.ts";
import { isCrossSite } from "#app/web/door/headers.server.ts";
import type { Found } from "#app/web/door/route-pattern.server.ts";

/** What the door tells those inside, by headers of which a client's own are taken away. */
const ROUTE = "x-route-pattern";
const REFUSED = "x-refused";

export type RefusedAt = "cross-site" | "unreadable";

/** Where a refused request is answered: the row of the route table that does nothing else. */
const REFUSAL = "/refused";

/** The host of a request that names none, as HTTP/1.0 allows. */
const NO_HOST = "localhost";

const rows = new WeakMap<IncomingMessage, Found>();

/** POSTs that are meant to come from anywhere: news from outside services, and a mail program's unsubscribing. */
const OPEN_TO_ALL = new Set([
  "/api/webhooks/:provider/:hookToken",
  "/api/webhooks/resend/:hookToken",
  "/reminders/:saleId/:signature",
]);

/**
 * Judges each request before the server sees it, since the server judges by rules of its own and answers what it refuses
 * with an empty 500, logged as an error. What is refused here goes to a page that says so; what is let in carries nothing
 * that the server would refuse. Every answer, a static file's too, is given the headers it lacks.
 */
export function openFrontDoor(find: (pathname: string) => Found | null): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const path = pathOf(request);
    const row = path === null ? null : find(path);
    const pattern = row?.address ?? null;
    const refused = path === null ? "unreadable" : isRefused(request, pattern) ? "cross-site" : null;
    const fallback = answerHeaders(refused ? REFUSAL : pattern);
    onHeaders(response, () => {
      // No next request is to come on the connection of a server that ends.
      if (isStopping()) response.shouldKeepAlive = false;
      for (const [name, value] of Object.entries(fallback))
        if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    tidy(request, pattern);
    if (refused) turnAway(request, refused, isForProgram(path, pattern));
    else if (row) rows.set(request, row);
  });
}

/** The row that answers a request; undefined where none does, and of one that was turned away. */
export function rowOf(request: IncomingMessage): Found | undefined {
  return rows.get(request);
}

/** The route that answers a request, e.g. `/reset-password/:token`: never its address, which may be a secret. */
export function routeOf(request: { headers: Headers } | IncomingMessage): string {
  const { headers } = request;
  const pattern = headers instanceof Headers ? headers.get(ROUTE) : headers[ROUTE];
  return pattern ? String(pattern) : "unknown";
}

/** Why the door turned a request away; null where it did not. */
export function refusedAt(request: Request): RefusedAt | null {
  return request.headers.get(REFUSED) as RefusedAt | null;
}

/** The path a request asks for; null where its address, or its host, can be read by nobody. */
function pathOf({ url = "", headers }: IncomingMessage): string | null {
  const host = headers.host ?? NO_HOST;
  const address = `http://${host}${url}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !url.startsWith("/") || !URL.canParse(address)) return null;
  const { pathname } = new URL(address);
  try {
    decodeURIComponent(pathname);
    return pathname;
  } catch {
    return null;
  }
}

/** Browsers add neither a bearer's key nor an unknown method by themselves, so who sends a key is judged by the key. */
function isRefused({ method, headers }: IncomingMessage, pattern: string | null): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false;
  if (pattern !== null && OPEN_TO_ALL.has(pattern)) return false;
  if (/^Bearer\s/i.test(headers.authorization ?? "")) return false;
  return isCrossSite({ headers: { get: (name) => (pick(headers, name) as string | undefined) ?? null } });
}

/**
 * Takes away what only our own may say, and what the server would compare anew: it believes `X-Forwarded-Host` from
 * anybody, and knows of no proxy before which the host is another.
 */
function tidy(request: IncomingMessage, pattern: string | null): void {
  const { headers, method } = request;
  headers.host ??= NO_HOST;
  delete headers["x-forwarded-host"];
  delete headers[REFUSED];
  delete headers[ROUTE];
  if (pattern !== null) headers[ROUTE] = pattern;
  if (method !== "GET" && method !== "HEAD") delete headers.origin;
}

function turnAway(request: IncomingMessage, why: RefusedAt, forProgram: boolean): void {
  const { headers } = request;
  headers[REFUSED] = why;
  if (forProgram) headers.accept = "application/json";
  if (why === "unreadable") headers.host = NO_HOST;
  request.url = REFUSAL;
}

function isForProgram(path: string | null, pattern: string | null): boolean {
  return Boolean(pattern?.startsWith("/api/") || path?.endsWith(".data"));
}
