import { sql } from "drizzle-orm";
import { timestamp, uuid } from "drizzle-orm/pg-core";

/** An unguessable id (UUID v4): for everything a stranger may meet in an address. */
export const uuidKey = () => uuid().primaryKey().default(sql`gen_random_uuid()`);

/** A moment, in UTC with milliseconds as Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** Until when a moment that was set to `now()` has certainly come: the column rounds up by half a millisecond at most. */
export const byNow = sql`now() + interval '1 ms'`;

export const createdAt = () => moment().notNull().defaultNow();
