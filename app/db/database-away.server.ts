import { awayCodeOf, loginRefusalReason } from "#app/db/errors.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

let isAway = false;
let loggedAt = 0;
let suppressed = 0;

/**
 * Logs that a database operation failed. While the database is away: one line when it goes, and one a minute that counts the
 * others. Other errors are logged each time.
 */
export function logDatabaseFailure(err: unknown, action: string, context: object = {}): void {
  const code = awayCodeOf(err);
  if (!code) {
    log.warn({ err, ...context }, action);
    return;
  }
  if (isAway && performance.now() - loggedAt < MINUTE) {
    suppressed += 1;
    return;
  }
  const reason = loginRefusalReason(err);
  log.warn(
    { code, action: action, suppressed: suppressed, ...(reason ? { reason: reason } : {}) },
    isAway ? "database still away" : "database away",
  );
  isAway = true;
  loggedAt = performance.now();
  suppressed = 0;
}

/** Logs one line if the database was away. */
export function logDatabaseRecovered(): void {
  if (!isAway) return;
  log.info({ suppressed: suppressed }, "database is back");
  isAway = false;
  suppressed = 0;
}
