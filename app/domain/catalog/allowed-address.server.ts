import { findOwnPicture } from "#app/domain/picture/picture-address.server.ts";
import { env } from "#app/platform/env.server.ts";

/** The paths of our own files. */
const FILE_PATHS = /^\/(demo|files|build)\/|^\/favicon\.svg$/;
/** Pages that a link may lead a buyer to. */
const PAGE_PATHS = /^\/$|^\/(checkout|upsell|thank-you)\/|^\/(terms|privacy)$/;

/**
 * Whether an address may be used on a page. On our own host it would be a request with the visitor's session: a picture may
 * only be one of our files, a link also a public page.
 */
export function isAllowedOnPages(address: string, as: "link" | "picture"): boolean {
  if (findOwnPicture(address)) return true;
  const { host, pathname } = new URL(address);
  if (host !== new URL(env.APP_URL).host) return true;
  return FILE_PATHS.test(pathname) || (as === "link" && PAGE_PATHS.test(pathname));
}
