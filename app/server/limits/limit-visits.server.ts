import { SECOND } from "#app/kit/duration.ts";
import { countInWindow } from "#app/server/limits/count-in-window.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/**
 * Visit reports per client in ten seconds: many buyers of one mobile network share an address, and each sends two at most.
 */
const countVisits = countInWindow(120, 10 * SECOND);

/** Counts a client's report, before it is read. @throws Refusal too-many */
export function limitVisits(request: Request): void {
  const wait = countVisits(clientKey(request));
  if (wait > 0) throw tooManyRefusal(wait);
}
