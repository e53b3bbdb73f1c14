import { type SQL, sql } from "drizzle-orm";
import { type PgColumn, timestamp, uuid } from "drizzle-orm/pg-core";

/** An unguessable id (UUID v4): for everything that appears in a public address. */
export const uuidKey = () => uuid().primaryKey().default(sql`gen_random_uuid()`);

/** A timestamp in UTC with milliseconds, as a Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** At or after any column set to `now()`: the column rounds up by half a millisecond at most. */
export const nowRoundedUp = sql`now() + interval '1 ms'`;

/** The database's clock, in Unix ms: those of processes may differ. Not `now()`: a transaction may have waited since its start. */
export const databaseTime = sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`;

/** The time of the insert, unless a statement sets another. */
export const momentOfInsert = () => moment().notNull().defaultNow();

/**
 * A column with its table's name, for a subquery that is selected: of columns that stand in a selection itself, Drizzle leaves the
 * name out in a query on one table; not of nested ones.
 */
export const qualified = (column: PgColumn): SQL => sql`${column}`;

/**
 * A JSON column that our own query shaped. The driver returns it as text; nested in another JSON value it is parsed already.
 * Timestamps in it are text.
 */
export function readJsonColumn<T>(value: unknown): T {
  return (typeof value === "string" ? JSON.parse(value) : value) as T;
}
