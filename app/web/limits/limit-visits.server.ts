import { SECOND } from "#app/kit/duration.ts";
import { clientOf } from "#app/web/limits/client.server.ts";
import { tooMany } from "#app/web/limits/too-many.ts";

/**
 * What one client may tell of checkouts seen in one window: many buyers of one mobile network share an address, and each
 * tells two things at most.
 */
const MOST = 120;
const WINDOW = 10 * SECOND;

/**
 * Counted in this process alone, and in one window for all: a window of each client's own is a timer each, and thousands
 * of them a second kept a busy web from answering.
 */
let told = new Map<string, number>();
let opened = performance.now();

/** Counts what a client tells, before it is read. @throws Refusal too-many */
export function limitVisits(request: Request): void {
  const now = performance.now();
  if (now >= opened + WINDOW) {
    told = new Map();
    opened = now;
  }
  const client = clientOf(request);
  const count = (told.get(client) ?? 0) + 1;
  told.set(client, count);
  if (count > MOST) throw tooMany(opened + WINDOW - now);
}
