import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, moment } from "#app/db/columns.server.ts";

/**
 * Workers that hold jobs. A worker lives as long as the connection it registered with: when that is gone
 * (a crash closes it at once), its jobs are given back. See queue/release-dead.server.ts.
 */
export const queueWorkers = pgTable("queue_workers", {
  workerId: text().primaryKey(),
  backendPid: integer().notNull(),
  backendStart: moment().notNull(),
  registeredAt: createdAt(),
});
