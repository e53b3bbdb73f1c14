import { codesOf, isAwayCode, isRefusalCode, loginRefusalReason } from "#app/db/errors.server.ts";
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
  const code = codeOf(err);
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

/**
 * Why a command cannot use the database, in Portuguese; null for other errors. ENOENT is more likely the file that the command
 * was given than a socket.
 */
export function databaseFailureReason(error: unknown): string | null {
  const code = codeOf(error);
  if (code === null || code === "ENOENT") return null;
  return loginRefusalReason(error) ?? `O PostgreSQL de DATABASE_URL não atende (${code}).`;
}

/** The code of an error that means the database is away or refuses the login. */
function codeOf(error: unknown): string | null {
  const codes = codesOf(error);
  // The queue wraps each lost connection in an error that means away (`pool.server.ts`).
  return codes.find(isRefusalCode) ?? codes.find(isAwayCode) ?? null;
}
