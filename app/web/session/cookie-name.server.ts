import { env } from "#app/platform/env.server.ts";

/** Whether cookies travel over https alone. */
export const SECURE = env.APP_URL.startsWith("https:");

/**
 * A cookie's name as the browser keeps it. Under https the prefix makes browsers refuse a cookie of that name which
 * another host of the same domain, or a page without TLS, tries to plant. It allows no other path than `/`; `__Secure-`, which
 * does, keeps no other host from planting one.
 */
export function cookieName(name: string): string {
  return SECURE ? `__Host-${name}` : name;
}
