import { ownPicture } from "#app/domain/picture/picture-address.server.ts";
import { env } from "#app/platform/env.server.ts";

/** Where our own files lie. */
const FILES = /^\/(demo|files|build)\/|^\/favicon\.svg$/;
/** What a buyer may be led to. */
const PAGES = /^\/$|^\/(checkout|upsell|thank-you)\/|^\/(terms|privacy)$/;

/**
 * Whether an address may stand on a page. One on our own host would be a request in the visitor's name: a picture may be one
 * of our files and nothing else, a link one of those or a page that anybody may open.
 */
export function mayStandOnPages(address: string, as: "link" | "picture"): boolean {
  if (ownPicture(address)) return true;
  const { host, pathname } = new URL(address);
  if (host !== new URL(env.APP_URL).host) return true;
  return FILES.test(pathname) || (as === "link" && PAGES.test(pathname));
}
