import { bigint, index, integer, pgTable, varchar } from "drizzle-orm/pg-core";

/** Rate limiter counts, shared between processes. Columns and their order are rate-limiter-flexible's. */
export const throttles = pgTable(
  "throttles",
  {
    key: varchar({ length: 255 }).primaryKey(),
    points: integer().notNull().default(0),
    /** Unix milliseconds. */
    expire: bigint({ mode: "number" }),
  },
  (t) => [
    index("throttles_expire_idx").on(t.expire),
    // Prefix search whatever the database's collation: all counts of one address.
    index("throttles_prefix_idx").on(t.key.op("varchar_pattern_ops")),
  ],
);
