import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "#app/db/columns.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * An order's use of a coupon. It is reserved while a charge of the order can be paid, and stays once the order is paid.
 */
export const couponUses = pgTable(
  "coupon_uses",
  {
    saleId: uuid()
      .primaryKey()
      .references(() => sales.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    couponId: uuid()
      .notNull()
      .references(() => coupons.id),
    /** Keyed hashes of the buyer's e-mail and document, for the limit per buyer; null where not given, or anonymized. */
    emailHash: text(),
    documentHash: text(),
    /** Since when the last charge of the unpaid order has ended; null while it counts. */
    releasedAt: moment(),
    /** Whether it was paid after its release, when the limit had been reached. */
    isOverLimit: boolean().notNull().default(false),
  },
  (t) => [
    index("coupon_uses_email_idx").on(t.couponId, t.emailHash),
    index("coupon_uses_document_idx").on(t.couponId, t.documentHash),
  ],
);

/**
 * The units that an order takes of an offer. They are reserved while a charge of the order can be paid, and stay once the
 * order is paid.
 */
export const offerUses = pgTable(
  "offer_uses",
  {
    saleId: uuid()
      .primaryKey()
      .references(() => sales.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    offerId: uuid()
      .notNull()
      .references(() => offers.id),
    quantity: integer().notNull(),
    /** Keyed hashes of the buyer's e-mail and document, for the limit per buyer; null where not given, or anonymized. */
    emailHash: text(),
    documentHash: text(),
    /** Since when the last charge of the unpaid order has ended; null while it counts. */
    releasedAt: moment(),
    /** Whether it was paid after its release, when the limit had been reached. */
    isOverLimit: boolean().notNull().default(false),
  },
  (t) => [
    index("offer_uses_email_idx").on(t.offerId, t.emailHash),
    index("offer_uses_document_idx").on(t.offerId, t.documentHash),
  ],
);
