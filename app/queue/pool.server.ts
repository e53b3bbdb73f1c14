import pg from "pg";
import { LONG_LIMITS, settingLimits } from "#app/db/limits.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** graphile-worker's connections, with our limits on each; it speaks through node-postgres. */
export function openQueuePool(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: env.DATABASE_URL,
    application_name: "checkintelli-queue",
    max: 10,
    connectionTimeoutMillis: 10 * SECOND,
    onConnect: async (client) => void (await client.query(settingLimits(LONG_LIMITS))),
  });
  const tell = (err: Error) => log.warn({ err }, "the queue lost a connection");
  pool.on("error", tell);
  pool.on("connect", (client) => client.on("error", tell));
  return pool;
}
