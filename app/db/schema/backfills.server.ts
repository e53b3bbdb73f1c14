import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, moment } from "#app/db/columns.server.ts";

/** Work on old rows that is done bit by bit, a row each: how far it is. */
export const backfills = pgTable("backfills", {
  name: text().primaryKey(),
  /** The key of the last row that was looked at. */
  position: bigint({ mode: "number" }).notNull(),
  startedAt: createdAt(),
  endedAt: moment(),
});
