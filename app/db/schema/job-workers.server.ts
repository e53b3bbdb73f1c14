import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "#app/db/columns.server.ts";

/**
 * The processes that run jobs: graphile-worker locks a job in the name of a process's pool, which is `workerId`. `backendPid`
 * and `backendStart` name its registered connection. A worker is alive as long as that exists and its heartbeat is recent: a
 * crash closes the connection at once, a frozen machine stops its heartbeat. See `queue/register-workers.server.ts`.
 */
export const jobWorkers = pgTable("queue_workers", {
  workerId: text().primaryKey(),
  backendPid: integer().notNull(),
  backendStart: moment().notNull(),
  /** The last heartbeat. */
  heartbeatAt: moment().notNull(),
});
