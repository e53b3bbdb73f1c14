import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { pick } from "#app/kit/pick.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import type { MatchedRoute } from "#app/server/pipeline/find-route.server.ts";
import { isCrossSite } from "#app/server/request/is-cross-site.server.ts";
import { defaultHeaders } from "#app/server/response/default-headers.server.ts";

/** Headers that pass the pipeline's results to the routes; a client's own are removed. */
const ROUTE_HEADER = "x-route-pattern";
const REFUSED_HEADER = "x-refused";

export type RefusalReason = "cross-site" | "unreadable";

/** The route that answers refused requests, and nothing else. */
const REFUSAL_PATH = "/refused";

/** The host of a request without one, as HTTP/1.0 allows. */
const DEFAULT_HOST = "localhost";

const matchedRoutes = new WeakMap<IncomingMessage, MatchedRoute>();

/** POSTs that may come from anywhere: webhooks of outside services, and the unsubscribe request of a mail program. */
const CROSS_SITE_ROUTES = new Set([
  "/api/webhooks/:provider/:hookToken",
  "/api/webhooks/resend/:hookToken",
  "/reminders/:saleId/:signature",
]);

/**
 * Checks each request before the server (remix-serve) sees it, since the server refuses by rules of its own, with an empty 500 that
 * is logged as an error. Requests refused here get a page that explains it; the others contain nothing that the server
 * would refuse. Adds missing headers to every answer, static files included.
 * @returns ends it
 */
export function guardRequests(findRoute: (pathname: string) => MatchedRoute | null): () => void {
  const guard = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const path = pathOf(request);
    const route = path === null ? null : findRoute(path);
    const pattern = route?.pattern ?? null;
    const reason = path === null ? "unreadable" : isRefused(request, pattern) ? "cross-site" : null;
    const defaults = defaultHeaders(reason ? REFUSAL_PATH : pattern);
    onHeaders(response, () => {
      // A stopping server must not receive another request on this connection.
      if (isStopping()) response.shouldKeepAlive = false;
      for (const [name, value] of Object.entries(defaults))
        if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    normalizeRequest(request, pattern);
    if (reason) rewriteToRefusal(request, reason, isForProgram(path, pattern));
    else if (route) matchedRoutes.set(request, route);
  };
  subscribe("http.server.request.start", guard);
  return () => void unsubscribe("http.server.request.start", guard);
}

/** The route that answers a request; undefined if there is none, or if the request was refused. */
export function matchedRoute(request: IncomingMessage): MatchedRoute | undefined {
  return matchedRoutes.get(request);
}

/** The route pattern of a request, e.g. `/reset-password/:token`: never its address, which may be a secret. */
export function requestPattern(request: { headers: Headers } | IncomingMessage): string {
  const { headers } = request;
  const pattern = headers instanceof Headers ? headers.get(ROUTE_HEADER) : headers[ROUTE_HEADER];
  return pattern ? String(pattern) : "unknown";
}

/** Why the pipeline refused a request; null if it did not. */
export function refusalReason(request: Request): RefusalReason | null {
  return request.headers.get(REFUSED_HEADER) as RefusalReason | null;
}

/** The path of a request; null if its address or host is invalid. */
function pathOf({ url = "", headers }: IncomingMessage): string | null {
  const host = headers.host ?? DEFAULT_HOST;
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

/** Browsers never add a bearer key or an unknown method by themselves, so a request with a key is judged by the key. */
function isRefused({ method, headers }: IncomingMessage, pattern: string | null): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false;
  if (pattern !== null && CROSS_SITE_ROUTES.has(pattern)) return false;
  if (/^Bearer\s/i.test(headers.authorization ?? "")) return false;
  return isCrossSite({ headers: { get: (name) => (pick(headers, name) as string | undefined) ?? null } });
}

/**
 * Removes headers that only we may set, and those that the server would compare again: it trusts `X-Forwarded-Host`
 * from anybody, and does not know that a proxy may change the host.
 */
function normalizeRequest(request: IncomingMessage, pattern: string | null): void {
  const { headers, method } = request;
  headers.host ??= DEFAULT_HOST;
  delete headers["x-forwarded-host"];
  delete headers[REFUSED_HEADER];
  delete headers[ROUTE_HEADER];
  if (pattern !== null) headers[ROUTE_HEADER] = pattern;
  if (method !== "GET" && method !== "HEAD") delete headers.origin;
}

function rewriteToRefusal(request: IncomingMessage, reason: RefusalReason, forProgram: boolean): void {
  const { headers } = request;
  headers[REFUSED_HEADER] = reason;
  if (forProgram) headers.accept = "application/json";
  if (reason === "unreadable") headers.host = DEFAULT_HOST;
  request.url = REFUSAL_PATH;
}

function isForProgram(path: string | null, pattern: string | null): boolean {
  return Boolean(pattern?.startsWith("/api/") || path?.endsWith(".data"));
}
