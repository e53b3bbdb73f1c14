import { countInWindow } from "#app/platform/count-in-window.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

const countRequests = countInWindow(...REQUESTS["policy-report"]);
/** Lines in the log: whoever has many addresses must not fill it. */
const countLines = countInWindow(...REQUESTS["policy-log"]);

/** Counts a client's request, before it is read. @throws Refusal too-many */
export function limitPolicyReports(request: Request): void {
  const wait = countRequests(clientKey(request));
  if (wait > 0) throw tooManyRefusal(wait);
}

/** Whether one more report may be logged. */
export function mayLogPolicyReport(): boolean {
  return countLines("all") === 0;
}
