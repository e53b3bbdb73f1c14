import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

type Failure = { code?: string; message?: string };

/** Refused for good until somebody changes the address, the password or the database. */
const REFUSED = new Map([
  ["28P01", "O PostgreSQL recusou a senha de DATABASE_URL (ou de PGPASSWORD)."],
  ["28000", "O PostgreSQL recusou o usuário de DATABASE_URL."],
  ["3D000", "O banco de dados que DATABASE_URL nomeia não existe."],
]);

const AWAY =
  /^(ECONN\w+|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_\w+|57P0[1235]|08\w{3}|53300)$/;

let isAway = false;
let toldAt = 0;
let untold = 0;

/**
 * Logs that something could not be done with the database. While it is away that is one line when it goes, and one a minute
 * that counts the others; what has another cause is told each time.
 */
export function logDatabaseFailure(err: unknown, doing: string, about: object = {}): void {
  const code = codeOf(err);
  if (!code) {
    log.warn({ err, ...about }, doing);
    return;
  }
  if (isAway && performance.now() - toldAt < MINUTE) {
    untold += 1;
    return;
  }
  const why = REFUSED.get(code);
  log.warn(
    { code, doing, untold, ...(why ? { why } : {}) },
    isAway ? "database still away" : "database away",
  );
  isAway = true;
  toldAt = performance.now();
  untold = 0;
}

/** The database answers: one line where it was away. */
export function noteDatabaseBack(): void {
  if (!isAway) return;
  log.info({ untold }, "database is back");
  isAway = false;
  untold = 0;
}

/** Why the database lets nobody in, in Portuguese; null where it is something else. */
export function refusedLogin(error: unknown): string | null {
  return REFUSED.get(codeOf(error) ?? "") ?? null;
}

/** The code of an error that means that the database is away or lets nobody in: Drizzle wraps the driver's. */
function codeOf(error: unknown): string | null {
  let at = error as (Failure & { cause?: unknown; errors?: unknown[] }) | undefined;
  for (let depth = 0; at && typeof at === "object" && depth < 5; depth++) {
    if (at.code && (AWAY.test(at.code) || REFUSED.has(at.code))) return at.code;
    at = (at.cause ?? at.errors?.[0]) as typeof at;
  }
  return null;
}
