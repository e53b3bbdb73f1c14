import { SECOND } from "#app/kit/duration.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/**
 * Visit reports per client in one window: many buyers of one mobile network share an address, and each sends two at
 * most.
 */
const MAX_VISITS = 120;
const WINDOW = 10 * SECOND;

/**
 * Counted in this process only, in one window for all clients: a window per client needs a timer each, and thousands of
 * them a second made a busy web process unresponsive.
 */
let visitCounts = new Map<string, number>();
let windowStart = performance.now();

/** Counts a client's report, before it is read. @throws Refusal too-many */
export function limitVisits(request: Request): void {
  const now = performance.now();
  if (now >= windowStart + WINDOW) {
    visitCounts = new Map();
    windowStart = now;
  }
  const client = clientKey(request);
  const count = (visitCounts.get(client) ?? 0) + 1;
  visitCounts.set(client, count);
  if (count > MAX_VISITS) throw tooManyRefusal(windowStart + WINDOW - now);
}
