import pino from "pino";
import { env } from "#app/platform/env.server.ts";

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

/** The log: one JSON line an event, on standard output. Never given secrets, whole webhook bodies or documents. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  serializers: { err: withoutValues },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: ["*.authorization", "*.password", "*.token", "*.apiKey", "*.document"],
    censor: "[oculto]",
  },
});
