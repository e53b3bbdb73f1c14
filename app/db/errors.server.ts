type PostgresError = { code?: string; constraint_name?: string };

/** Whether Postgres refused a second row under the named unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return causes(error).some((e) => e.code === "23505" && e.constraint_name === constraint);
}

/** Whether Postgres refused a row whose product, seller or other referenced row was deleted meanwhile. */
export function isMissingReference(error: unknown): boolean {
  return causes(error).some((e) => e.code === "23503");
}

/**
 * Whether Postgres cannot be reached, is shutting down, or timed out (a lock, a statement, an idle transaction, the wait for
 * a free connection): worth a 503 and a retry.
 */
export function isUnavailable(error: unknown): boolean {
  return causes(error).some(
    (e) =>
      typeof e.code === "string" &&
      (/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|NO_FREE_CONNECTION|MUTEX_TIMEOUT|CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_DESTROYED|CONNECTION_ENDED)$/.test(
        e.code,
      ) ||
        /^(57P0[1235]|57014|55P03|25P0[34]|08\d{3}|53300)$/.test(e.code)),
  );
}

/** The error and its causes: Drizzle wraps the driver's error. */
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
