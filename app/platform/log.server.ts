import { writeSync } from "node:fs";
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

/** An error's message with those of its causes, as it is logged: for what is stored or logged by others. */
export function messageWithoutValues(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return String((serializeError(error) as { message: unknown }).message);
}

const STANDARD_OUTPUT = 1;
/** How long to wait for a reader, in milliseconds. */
const READER_DELAY = 10;
const delay = new Int32Array(new SharedArrayBuffer(4));

let lostLines = 0;
let isCut = false;

/**
 * Writes a line. One that finds no room on a disk, or no reader, is lost: pino's own stream would end the process, and before
 * that try again for ever, while nothing is answered.
 */
function write(line: string): void {
  const bytes = Buffer.from(isCut ? `\n${line}` : line);
  let written = 0;
  while (written < bytes.length)
    try {
      written += writeSync(STANDARD_OUTPUT, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
        Atomics.wait(delay, 0, 0, READER_DELAY);
        continue;
      }
      lostLines += 1;
      isCut ||= written > 0;
      return;
    }
  isCut = false;
  if (lostLines === 0) return;
  const lines = lostLines;
  lostLines = 0;
  log.warn({ lines }, "lines of the log were lost");
}

/**
 * The log: one JSON line per event on standard output, with the id of the request that caused it. Never pass it
 * secrets, whole webhook bodies or documents.
 */
export const log = pino(
  {
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
  },
  { write },
);

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
