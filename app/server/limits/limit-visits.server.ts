import { countInWindow } from "#app/platform/count-in-window.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

const countVisits = countInWindow(...REQUESTS.visit);

/** Counts a client's report, before it is read. @throws Refusal too-many */
export function limitVisits(request: Request): void {
  const wait = countVisits(clientKey(request));
  if (wait > 0) throw tooManyRefusal(wait);
}
