import { env } from "#app/platform/env.server.ts";

/**
 * Content-Security-Policy of a hydrated page. One policy for dashboard, sign-in pages and site: client-side navigation
 * between them keeps the policy of the first document. `nonce` is new for each document.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // Bars and charts set sizes with style attributes, and a mail in its preview frame, which is under this policy, has
    // styles of its own.
    "style-src 'self' 'unsafe-inline'",
    // Sellers may use pictures from any address.
    "img-src 'self' https: http: data:",
    "connect-src 'self'",
    // Browsers apply this to the redirect after a form too.
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
