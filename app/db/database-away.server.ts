import { codesOf, isAwayCode } from "#app/db/errors.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** Permanent until somebody changes the address, the password or the database. */
const REFUSED = new Map([
  ["28P01", "O PostgreSQL recusou a senha de DATABASE_URL (ou de PGPASSWORD)."],
  ["28000", "O PostgreSQL recusou o usuário de DATABASE_URL."],
  ["3D000", "O banco de dados que DATABASE_URL nomeia não existe."],
]);

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
  const reason = REFUSED.get(code);
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

/** Why the database refuses the login, in Portuguese; null for other errors. */
export function loginRefusalReason(error: unknown): string | null {
  return REFUSED.get(codeOf(error) ?? "") ?? null;
}

/**
 * Why a command cannot use the database, in Portuguese; null for other errors. ENOENT is more likely the file that the command
 * was given than a socket.
 */
export function databaseFailureReason(error: unknown): string | null {
  const code = codeOf(error);
  if (code === null || code === "ENOENT") return null;
  return REFUSED.get(code) ?? `O PostgreSQL de DATABASE_URL não atende (${code}).`;
}

/** The code of an error that means the database is away or refuses the login. */
function codeOf(error: unknown): string | null {
  return codesOf(error).find((code) => isAwayCode(code) || REFUSED.has(code)) ?? null;
}
