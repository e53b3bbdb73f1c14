import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "#app/db/columns.server.ts";

/**
 * Workers that hold jobs. A worker lives as long as the connection it registered with is there and it goes on saying so:
 * a crash closes the connection at once, a frozen machine falls silent. See `queue/register.server.ts`.
 */
export const queueWorkers = pgTable("queue_workers", {
  workerId: text().primaryKey(),
  backendPid: integer().notNull(),
  backendStart: moment().notNull(),
  /** When it last said that it is there. */
  beatAt: moment().notNull(),
});
