import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { countInWindow } from "#app/server/limits/count-in-window.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/** Requests per client: a page with one fault sends a handful. */
const countRequests = countInWindow(20, 10 * SECOND);
/** Lines in the log of all clients together: whoever has many addresses must not fill it. */
const countLines = countInWindow(60, MINUTE);

/** Counts a client's request, before it is read. @throws Refusal too-many */
export function limitPolicyReports(request: Request): void {
  const wait = countRequests(clientKey(request));
  if (wait > 0) throw tooManyRefusal(wait);
}

/** Whether one more report may be logged. */
export function mayLogPolicyReport(): boolean {
  return countLines("all") === 0;
}
