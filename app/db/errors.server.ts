type PostgresError = { code?: string; message?: string; constraint_name?: string };

/** Whether Postgres refused a second row under the named unique constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return causes(error).some((e) => e.code === "23505" && e.constraint_name === constraint);
}

/** Whether Postgres refused a row whose product, seller or other referenced row was deleted meanwhile. */
export function isMissingReference(error: unknown): boolean {
  return causes(error).some((e) => e.code === "23503");
}

/**
 * Codes of an error that means the primary cannot be reached, is shutting down, or is one no more: after a fail-over the
 * server at the end of an older connection may only read (25006).
 */
const AWAY =
  /^(ECONN\w+|EPIPE|ENOENT|ENOTFOUND|EAI_\w+|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN)|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_\w+|57P0[1235]|08\w{3}|53300|25006)$/;
/** Codes of one that timed out (a lock, a statement, an idle transaction, the wait for a free connection), or found no disk or memory. */
const BUSY = /^(NO_FREE_CONNECTION|MUTEX_TIMEOUT|57014|55P03|25P0[34]|53[0124]00)$/;
/** Codes of a refused login, and why in Portuguese. It stays refused until somebody changes the address, the password or the database. */
const LOGIN_REFUSALS: ReadonlyMap<string, string> = new Map([
  ["28P01", "O PostgreSQL recusou a senha de DATABASE_URL (ou de PGPASSWORD)."],
  ["28000", "O PostgreSQL recusou o usuário de DATABASE_URL."],
  ["3D000", "O banco de dados que DATABASE_URL nomeia não existe."],
]);
/** Codes of a certificate that we refuse, with `sslmode=verify-full`. */
const UNTRUSTED =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** node-postgres' messages of a lost connection that have no code. */
const LOST =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout (exceeded|expired))/;

const isRefusalCode = (code: string): boolean => LOGIN_REFUSALS.has(code) || UNTRUSTED.test(code);

/** The code of an error that means the database is away or refuses the login; null for other errors. */
export function awayCodeOf(error: unknown): string | null {
  const codes = codesOf(error);
  // The queue wraps each lost connection in an error that means away (`queue/pool.server.ts`).
  return codes.find(isRefusalCode) ?? codes.find((code) => AWAY.test(code)) ?? null;
}

/**
 * Why a command cannot use the database, in Portuguese; null for other errors. ENOENT is more likely the file that the command
 * was given than a socket.
 */
export function databaseFailureReason(error: unknown): string | null {
  const code = awayCodeOf(error);
  if (code === null || code === "ENOENT") return null;
  return loginRefusalReason(error) ?? `O PostgreSQL de DATABASE_URL não atende (${code}).`;
}

/** Why the database refuses the login, or we refuse it, in Portuguese; null for other errors. */
export function loginRefusalReason(error: unknown): string | null {
  const refusal = causes(error).find(({ code }) => code !== undefined && isRefusalCode(code));
  if (!refusal) return null;
  const { code = "", message = "" } = refusal;
  // A server that requires TLS has a rule for nobody without it.
  if (code === "28000" && message.includes("no encryption"))
    return "O PostgreSQL recusou o usuário de DATABASE_URL sem TLS. Se o servidor exige TLS, acrescente ?sslmode=verify-full ao endereço (docs/settings.md).";
  return (
    LOGIN_REFUSALS.get(code) ??
    `O certificado do PostgreSQL de DATABASE_URL não foi aceito (${code}). O endereço deve ter o nome que está no certificado, e o arquivo da autoridade que o emitiu vai em NODE_EXTRA_CA_CERTS (docs/settings.md).`
  );
}

/** Whether Postgres is away, refuses the login or could not answer in time: worth a 503 and a retry. */
export function isUnavailable(error: unknown): boolean {
  return codesOf(error).some((code) => AWAY.test(code) || BUSY.test(code) || isRefusalCode(code));
}

/** Whether Postgres refused to write, as a former primary does. */
export function isReadOnly(error: unknown): boolean {
  return codesOf(error).includes("25006");
}

/** The codes of an error and its causes. */
function codesOf(error: unknown): string[] {
  return causes(error).flatMap(({ code, message = "" }) => {
    if (typeof code === "string") return [code];
    return LOST.test(message) ? ["CONNECTION_LOST"] : [];
  });
}

/** The error and its causes: Drizzle wraps the driver's error, and an attempt at several addresses has one for each. */
function causes(error: unknown): PostgresError[] {
  const found: PostgresError[] = [];
  let at = error as { cause?: unknown; errors?: unknown[] } | null | undefined;
  while (at && typeof at === "object" && found.length < 5) {
    found.push(at as PostgresError);
    at = (at.cause ?? at.errors?.[0]) as typeof at;
  }
  return found;
}
