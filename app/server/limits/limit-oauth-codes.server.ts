import { countInWindow } from "#app/platform/count-in-window.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

const countCodes = countInWindow(...REQUESTS["oauth-code"]);

/** Counts a client's code, before the identity provider is asked to exchange it. @throws Refusal too-many */
export function limitOAuthCodes(request: Request): void {
  const wait = countCodes(clientKey(request));
  if (wait > 0) throw tooManyRefusal(wait);
}
