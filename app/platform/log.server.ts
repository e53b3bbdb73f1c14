import { format } from "node:util";
import pino from "pino";
import { env } from "#app/platform/env.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

/** Of several errors that were put together these are logged: what collects logs cuts or drops long lines. */
const MAX_ERRORS = 10;

/**
 * Drizzle puts a statement's values (names, addresses, secrets) into its errors: they are left out, and so is Postgres'
 * detail about a row. node-postgres adds the whole connection, with its key.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const {
    raw: _,
    params: _params,
    parameters: _parameters,
    detail: _detail,
    where: _where,
    client: _client,
    aggregateErrors: _aggregateErrors,
    ...serialized
  } = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (!("params" in at)) continue;
    const values = `\nparams: ${at.params}`;
    for (const key of ["message", "stack"] as const)
      serialized[key] = String(serialized[key]).replaceAll(values, "");
  }
  if (error instanceof AggregateError) {
    serialized.aggregateErrors = error.errors.slice(0, MAX_ERRORS).map(serializeError);
    if (error.errors.length > MAX_ERRORS) serialized.moreErrors = error.errors.length - MAX_ERRORS;
  }
  return serialized;
}

/**
 * The log: one JSON line per event on standard output, with the id of the request that caused it. Never pass it
 * secrets, whole webhook bodies or documents.
 */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  serializers: { err: serializeError },
  mixin() {
    const id = requestId();
    return id ? { requestId: id } : {};
  },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: ["*.authorization", "*.password", "*.token", "*.apiKey", "*.document"],
    censor: "[oculto]",
  },
});

/** Turns what libraries write to the console into log lines, and logs the error that ends a process. */
export function logConsole(): void {
  const levels = { log: "info", info: "info", debug: "debug", warn: "warn", error: "error" } as const;
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, "info"][])
    console[name] = (...parts: unknown[]) => {
      const err = parts.find((one) => one instanceof Error);
      const message = format(...parts.filter((one) => one !== err));
      if (err || message) log[level]({ from: "console", ...(err ? { err } : {}) }, message);
    };
  process.on("uncaughtExceptionMonitor", (err) => log.fatal({ err }, "process ends because of an error"));
}
