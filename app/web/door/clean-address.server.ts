import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { cleanLine } from "#app/kit/clean-text.ts";
import { env } from "#app/platform/env.server.ts";

/** Stands for an origin that is none: another site's. */
const NO_ORIGIN = "https://origem.invalid";

/**
 * Cleans the address of every request before anybody reads it: remix-serve builds a URL from it and from `Host`, outside of
 * all our code, and answers an empty 500 where it cannot.
 */
export function cleanAddresses(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.url = cleanPath(request.url ?? "/");
    cleanHosts(request.headers);
  });
}

/**
 * Path and query as `new URL` and `decodeURIComponent` take them. What they decode to loses NUL and other control
 * characters (`cleanLine`); bytes that are no UTF-8 become U+FFFD. So does what a path loses: it then names nothing rather
 * than something else.
 */
export function cleanPath(target: string): string {
  const whole = target.startsWith("/") ? target : pathOf(target);
  const at = whole.indexOf("?");
  if (at < 0) return cleanRuns(whole, "\ufffd");
  const query = cleanRuns(withoutData(whole.slice(at + 1)), "");
  return cleanRuns(whole.slice(0, at), "\ufffd") + (query && `?${query}`);
}

/** Of `GET http://host/path` as proxies ask, and of `OPTIONS *`. */
function pathOf(target: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return "/";
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Remix throws at `_data`, the query of an older protocol than ours. */
function withoutData(query: string): string {
  if (!/data/i.test(query)) return query;
  const pairs = query.split("&");
  return pairs.filter((pair) => !new URLSearchParams(pair).has("_data")).join("&");
}

/** Runs of percent escapes; not a letter changes where nothing has to. `lost` stands for what is taken out. */
function cleanRuns(text: string, lost: string): string {
  return text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const decoded = Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8");
    const clean = cleanLine(decoded);
    if (clean !== decoded) return encodeURIComponent(clean + lost);
    return decoded.includes("\ufffd") ? encodeURIComponent(clean) : run;
  });
}

function cleanHosts(headers: IncomingMessage["headers"]): void {
  if (!isHost(headers.host)) headers.host = new URL(env.APP_URL).host;
  const forwarded = headers["x-forwarded-host"];
  if (forwarded !== undefined && !String(forwarded).split(",").every(isHost))
    delete headers["x-forwarded-host"];
  if (headers.origin !== undefined && headers.origin !== "null" && !URL.canParse(headers.origin))
    headers.origin = NO_ORIGIN;
}

/** Whether a header names a host, with or without a port, and nothing else. */
function isHost(host: string | undefined): boolean {
  const name = host?.trim() ?? "";
  return /^[^\s/?#@\\]+$/.test(name) && URL.canParse(`http://${name}`);
}
