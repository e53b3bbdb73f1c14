import { env } from "#app/platform/env.server.ts";

/** Whether cookies are only sent over https. */
export const SECURE = env.APP_URL.startsWith("https:");

/**
 * A cookie's name in the browser. Under https the prefix makes browsers refuse a cookie of that name set by another
 * host of the same domain, or by a page without TLS. It requires the path `/`; `__Secure-`, which allows other paths,
 * does not protect against other hosts.
 */
export function cookieName(name: string): string {
  return SECURE ? `__Host-${name}` : name;
}
