import { env } from "#app/platform/env.server.ts";

/**
 * What a hydrated page may load and do. One policy for the desk, the sign-in pages and the site: who goes from one to the
 * other without a new document keeps that of the first. `nonce` is new for each document.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // Bars and charts have their sizes as attributes, and a mail in its preview frame its own styles: it is under this policy.
    "style-src 'self' 'unsafe-inline'",
    // Sellers name their products' pictures by any address.
    "img-src 'self' https: http: data:",
    "connect-src 'self'",
    // Browsers hold the redirects that answer a form to this too.
    [
      "form-action 'self'",
      ...(env.OAUTH_CLIENT_ID ? [new URL(env.OAUTH_AUTHORIZATION_URL).origin] : []),
    ].join(" "),
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
