import { env } from "#app/platform/env.server.ts";

const MAX_ENTRIES = 2_000;

/** By charge. Held in memory only: the provider states it again, and it is of no use after some minutes. The oldest is removed first. */
const urls = new Map<string, string>();

/** What the page that frames a challenge allows: the bank's page leads through hosts that nobody can name beforehand. */
export const CHALLENGE_FRAME_SOURCES = ["https:", ...(env.sandboxUrl ? [env.sandboxUrl] : [])];

/** Remembers the page of a charge's challenge as its provider stated it; null: it has none, or no longer. */
export function rememberChallenge(chargeId: string, url: string | null): void {
  urls.delete(chargeId);
  if (url === null || !isAllowed(url)) return;
  urls.set(chargeId, url);
  if (urls.size > MAX_ENTRIES) urls.delete(urls.keys().next().value!);
}

/** The page of a charge's challenge; null where this process has not been told it. */
export function recallChallenge(chargeId: string): string | null {
  return urls.get(chargeId) ?? null;
}

function isAllowed(url: string): boolean {
  const { protocol, origin } = new URL(url);
  return protocol === "https:" || origin === env.sandboxUrl;
}
