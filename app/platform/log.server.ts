import pino from "pino";
import { env } from "#app/platform/env.server.ts";

/** The log: one JSON line an event, on standard output. Never given secrets, whole webhook bodies or documents. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: ["*.authorization", "*.password", "*.token", "*.apiKey", "*.document"],
    censor: "[oculto]",
  },
});
