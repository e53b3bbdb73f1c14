import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, uuid, varchar } from "drizzle-orm/pg-core";
import { moment, momentOfInsert } from "#app/db/columns.server.ts";

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
    // Prefix search whatever the database's collation: the pairs of one target (`resetTarget`).
    index("throttles_prefix_idx").on(t.key.op("varchar_pattern_ops")),
  ],
);

/**
 * Orders with an `Idempotency-Key`, so that a repeated one is the same sale. Without foreign keys: inserting with them would
 * lock the sales, and neither sales nor charges are ever deleted.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Keyed hash of the sender and the key they sent. */
    key: text().primaryKey(),
    /** Keyed hash of the order. */
    body: text().notNull(),
    /** A request is processing it until then, at the latest. */
    leasedUntil: moment().notNull(),
    /** Both are set in the transaction that writes the sale: before that nobody has looked up whose product it is. */
    sellerId: uuid(),
    saleId: uuid(),
    /** The PIX in the answer; null until there is one, and where nothing is to be paid. */
    chargeId: uuid(),
    createdAt: momentOfInsert(),
  },
  (t) => [
    check("idempotency_keys_seller_check", sql`${t.saleId} is null or ${t.sellerId} is not null`),
    index("idempotency_keys_created_idx").on(t.createdAt),
  ],
);
