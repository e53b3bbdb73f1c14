import { sql } from "drizzle-orm";
import { timestamp, uuid } from "drizzle-orm/pg-core";

/** An unguessable id (UUID v4): for everything a stranger may meet in an address. */
export const uuidKey = () => uuid().primaryKey().default(sql`gen_random_uuid()`);

/** A moment, in UTC with milliseconds as Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

export const createdAt = () => moment().notNull().defaultNow();
