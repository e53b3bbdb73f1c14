import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment } from "#app/db/columns.server.ts";

/**
 * Orders that their sender named (`Idempotency-Key`), so that the same one sent again is the same sale. Without foreign
 * keys: making them would lock the sales while they are served, and neither sales nor charges are ever deleted.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Keyed hash of who sends and of the name they gave. */
    key: text().primaryKey(),
    /** Keyed hash of what is ordered. */
    body: text().notNull(),
    /** Somebody is at it until then, at the latest. */
    busyUntil: moment().notNull(),
    /** Both noted in the transaction that wrote the sale: until then the product may be anything. */
    sellerId: uuid(),
    saleId: uuid(),
    /** The PIX that was answered with; null until there is one. */
    chargeId: uuid(),
    createdAt: createdAt(),
  },
  (t) => [
    check("idempotency_keys_seller_check", sql`${t.saleId} is null or ${t.sellerId} is not null`),
    index("idempotency_keys_created_idx").on(t.createdAt),
  ],
);
