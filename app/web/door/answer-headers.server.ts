import { env } from "#app/platform/env.server.ts";

/** What every answer carries, a static file's too. */
const EVERY: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  ...(env.APP_URL.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
};

/** What an answer of ours carries where it says nothing else: nobody embeds it, and it runs, loads and sends nothing. */
const OURS: Record<string, string> = {
  ...EVERY,
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Parts of addresses that anybody may know. Any other part of an address opens something to whoever holds it. */
const KNOWN_TO_ALL = new Set([":productId", ":slug", ":provider"]);

/**
 * The headers an answer is sent with unless it has its own of that name.
 * @param pattern the route's address as the table has it, e.g. `/reset-password/:token`; null for a static file
 */
export function answerHeaders(pattern: string | null): Record<string, string> {
  if (pattern === null) return { ...EVERY, "Referrer-Policy": "strict-origin-when-cross-origin" };
  const isSecret = pattern.split("/").some((part) => part.startsWith(":") && !KNOWN_TO_ALL.has(part));
  // Not `no-referrer`: a form sent from such a page would have the origin `null`, as one from a stranger's frame has.
  return { ...OURS, "Referrer-Policy": isSecret ? "same-origin" : "strict-origin-when-cross-origin" };
}
