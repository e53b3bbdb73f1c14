import { format } from "node:util";
import pino from "pino";
import { env } from "#app/platform/env.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

/**
 * A statement's values are people's names, addresses and secrets, and Drizzle puts them into its errors: they are told
 * without. So is what Postgres says of a row.
 */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const {
    raw: _,
    params: _params,
    parameters: _parameters,
    detail: _detail,
    where: _where,
    ...told
  } = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (!("params" in at)) continue;
    const values = `\nparams: ${at.params}`;
    for (const key of ["message", "stack"] as const) told[key] = String(told[key]).replaceAll(values, "");
  }
  return told;
}

/**
 * The log: one JSON line an event, on standard output, with the id of the request that led to it. Never given secrets, whole
 * webhook bodies or documents.
 */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  serializers: { err: withoutValues },
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

/** What libraries write to the console becomes lines of the log; so does the last word of a process that dies of an error. */
export function logConsole(): void {
  const levels = { log: "info", info: "info", debug: "debug", warn: "warn", error: "error" } as const;
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, "info"][])
    console[name] = (...said: unknown[]) => {
      const err = said.find((one) => one instanceof Error);
      const words = format(...said.filter((one) => one !== err));
      if (err || words) log[level]({ from: "console", ...(err ? { err } : {}) }, words);
    };
  process.on("uncaughtExceptionMonitor", (err) => log.fatal({ err }, "process ends by an error"));
}
