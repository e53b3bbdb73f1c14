import { Refusal } from "#app/kit/refusal.ts";
import { isCrossSite } from "#app/server/request/is-cross-site.server.ts";
import { refusedPage } from "#app/server/response/failure-response.server.ts";

/** Refuses a state change that another site requested. @throws Refusal forbidden */
export function refuseCrossSite(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isCrossSite(request)) throw new Refusal("forbidden", "Este pedido veio de outro site e foi recusado");
}

/**
 * For a GET that changes state: accepts navigations and calls of our own pages, not embedded requests. Browsers mark
 * those (`Sec-Fetch-*`); in older ones pictures are recognized by their `Accept`.
 * @throws Refusal forbidden
 */
export function refuseEmbedded(request: Request): void {
  const destination = request.headers.get("sec-fetch-dest");
  const accepted = request.headers.get("accept") ?? "";
  const embedded = destination
    ? destination !== "document" && destination !== "empty"
    : /^\s*(image|video|audio|font)\/|^\s*text\/css/.test(accepted);
  if (embedded || isCrossSite(request))
    throw new Refusal("forbidden", "Este pedido não veio de uma página nossa");
}

/** The same for a page's action, whose ErrorBoundary shows responses. @throws Response 403 */
export function refuseCrossSitePage(request: Request): void {
  try {
    refuseCrossSite(request);
  } catch (error) {
    throw error instanceof Refusal ? refusedPage(error, request) : error;
  }
}
