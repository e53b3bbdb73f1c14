import { bigint, index, integer, pgTable, varchar } from "drizzle-orm/pg-core";

/** Counts of tries, shared between processes. Columns and their order are rate-limiter-flexible's. */
export const throttles = pgTable(
  "throttles",
  {
    key: varchar({ length: 255 }).primaryKey(),
    points: integer().notNull().default(0),
    /** Unix milliseconds. */
    expire: bigint({ mode: "number" }),
  },
  (t) => [index("throttles_expire_idx").on(t.expire)],
);
