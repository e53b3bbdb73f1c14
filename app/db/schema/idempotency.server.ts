import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment } from "#app/db/columns.server.ts";

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
    /** Both are set in the transaction that writes the sale: until then the product is not validated. */
    sellerId: uuid(),
    saleId: uuid(),
    /** The PIX in the answer; null until there is one. */
    chargeId: uuid(),
    createdAt: createdAt(),
  },
  (t) => [
    check("idempotency_keys_seller_check", sql`${t.saleId} is null or ${t.sellerId} is not null`),
    index("idempotency_keys_created_idx").on(t.createdAt),
  ],
);
