type PostgresError = { code?: string; constraint_name?: string };

/** Whether an error is Postgres refusing a second row under the named unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return causes(error).some((e) => e.code === "23505" && e.constraint_name === constraint);
}

/** Whether an error is Postgres refusing a row whose product, seller or other thing was deleted meanwhile. */
export function isMissingReference(error: unknown): boolean {
  return causes(error).some((e) => e.code === "23503");
}

/**
 * Whether an error means that Postgres cannot be reached, is going down, or gave us up because something took too long
 * (a lock, a statement, an idle transaction, the wait for a free connection): worth a 503 and another try.
 */
export function isUnavailable(error: unknown): boolean {
  return causes(error).some(
    (e) =>
      typeof e.code === "string" &&
      (/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|NO_FREE_CONNECTION|NO_TURN|CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_DESTROYED|CONNECTION_ENDED)$/.test(
        e.code,
      ) ||
        /^(57P0[1235]|57014|55P03|25P0[34]|08\d{3}|53300)$/.test(e.code)),
  );
}

/** The error and what caused it: Drizzle wraps the driver's error. */
function causes(error: unknown): PostgresError[] {
  const found: PostgresError[] = [];
  for (
    let at = error;
    at && typeof at === "object" && found.length < 5;
    at = (at as { cause?: unknown }).cause
  ) {
    found.push(at as PostgresError);
  }
  return found;
}
