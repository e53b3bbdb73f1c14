import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "#app/db/columns.server.ts";

/**
 * Workers that hold jobs. A worker is alive as long as its registered connection exists and its heartbeat is recent: a crash
 * closes the connection at once, a frozen machine stops its heartbeat. See `queue/register-workers.server.ts`.
 */
export const queueWorkers = pgTable("queue_workers", {
  workerId: text().primaryKey(),
  backendPid: integer().notNull(),
  backendStart: moment().notNull(),
  /** The last heartbeat. */
  heartbeatAt: moment().notNull(),
});
