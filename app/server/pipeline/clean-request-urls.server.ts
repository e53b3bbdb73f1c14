import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { cleanLine } from "#app/kit/clean-text.ts";
import { env } from "#app/platform/env.server.ts";

/** Replaces an invalid origin: treated as another site's. */
const FOREIGN_ORIGIN = "https://origem.invalid";

/**
 * Cleans the URL of every request before anything reads it: remix-serve builds a URL from it and from `Host`, outside
 * of our code, and answers an empty 500 if it cannot.
 */
export function cleanRequestUrls(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.url = cleanPath(request.url ?? "/");
    cleanHosts(request.headers);
  });
}

/**
 * Makes path and query acceptable to `new URL` and `decodeURIComponent`. In a query, NUL and other control characters
 * are removed (`cleanLine`) and invalid UTF-8 becomes U+FFFD. A path that loses characters gets U+FFFD, so it matches nothing
 * rather than something else.
 */
export function cleanPath(target: string): string {
  const pathAndQuery = target.startsWith("/") ? target : pathOf(target);
  const at = pathAndQuery.indexOf("?");
  if (at < 0) return cleanEscapes(pathAndQuery, "\ufffd");
  const query = cleanEscapes(withoutData(pathAndQuery.slice(at + 1)), "");
  return cleanEscapes(pathAndQuery.slice(0, at), "\ufffd") + (query && `?${query}`);
}

/** The path of `GET http://host/path`, as proxies send it, and of `OPTIONS *`. */
function pathOf(target: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return "/";
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Remix throws at `_data`, the query of an older protocol. */
function withoutData(query: string): string {
  if (!/data/i.test(query)) return query;
  const pairs = query.split("&");
  return pairs.filter((pair) => !new URLSearchParams(pair).has("_data")).join("&");
}

/** Cleans runs of percent escapes; valid ones stay byte for byte. `replacement` marks a run that lost characters. */
function cleanEscapes(text: string, replacement: string): string {
  return text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const decoded = Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8");
    const clean = cleanLine(decoded);
    if (clean !== decoded) return encodeURIComponent(clean + replacement);
    return decoded.includes("\ufffd") ? encodeURIComponent(clean) : run;
  });
}

function cleanHosts(headers: IncomingMessage["headers"]): void {
  if (!isHost(headers.host)) headers.host = new URL(env.APP_URL).host;
  const forwarded = headers["x-forwarded-host"];
  if (forwarded !== undefined && !String(forwarded).split(",").every(isHost))
    delete headers["x-forwarded-host"];
  if (headers.origin !== undefined && headers.origin !== "null" && !URL.canParse(headers.origin))
    headers.origin = FOREIGN_ORIGIN;
}

/** Whether a header names a host, with or without a port, and nothing else. */
function isHost(host: string | undefined): boolean {
  const name = host?.trim() ?? "";
  return /^[^\s/?#@\\]+$/.test(name) && URL.canParse(`http://${name}`);
}
