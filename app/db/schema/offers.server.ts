import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { OFFER_KINDS } from "#app/db/schema/lists.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * The other prices of a product: its own price is the one that counts where no offer does. Money in cents. A unit is one
 * piece of the product; an order may have several.
 */
export const offers = pgTable(
  "offers",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    productId: bigint({ mode: "number" }).notNull(),
    kind: text({ enum: OFFER_KINDS }).notNull(),
    /** Buyers see it, too. */
    name: text().notNull(),
    /** Of one unit. */
    priceCents: integer().notNull(),
    originalPriceCents: integer(),
    /** The address of its checkout, in the same namespace as the products'. Null: deleted. */
    slug: text(),
    /** The order bumps and upsells that are shown with it; null: all, including future ones. */
    bumpIds: bigint({ mode: "number" }).array(),
    upsellIds: bigint({ mode: "number" }).array(),
    /** The product's files, links and texts that its buyers get, as it is now; null: all, including future ones. */
    contentItemIds: uuid().array(),
    startsAt: moment(),
    endsAt: moment(),
    maxUnits: integer(),
    maxUnitsPerBuyer: integer(),
    /** How many units one order may have. */
    minQuantity: integer().notNull().default(1),
    maxQuantity: integer().notNull().default(1),
    /** Units of orders that have it: paid, or with a PIX that can be paid. Counted where an order is placed, and by triggers. */
    units: integer().notNull().default(0),
    /** The order among the product's offers. */
    position: integer().notNull().default(0),
    deactivatedAt: moment(),
    /** Deleted by the seller; the row stays for its sales. */
    archivedAt: moment(),
    createdAt: momentOfInsert(),
    updatedAt: momentOfInsert(),
  },
  (t) => [
    oneOf("offers_kind_check", t.kind, OFFER_KINDS),
    check("offers_price_check", sql`${t.priceCents} >= 0`),
    check("offers_units_check", sql`${t.units} >= 0`),
    check("offers_quantity_check", sql`${t.minQuantity} between 1 and ${t.maxQuantity}`),
    unique("offers_seller_key").on(t.sellerId, t.id),
    foreignKey({
      name: "offers_product_fk",
      columns: [t.sellerId, t.productId],
      foreignColumns: [products.sellerId, products.id],
    }).onDelete("cascade"),
    index("offers_product_idx").on(t.sellerId, t.productId, t.position),
  ],
);

/** The addresses of checkouts: `/checkout/s/{slug}`. Written by triggers on products and offers, so that no two are equal. */
export const checkoutSlugs = pgTable(
  "checkout_slugs",
  {
    /** Lower case. */
    slug: text().primaryKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    productId: bigint({ mode: "number" }).notNull(),
    /** Null: the product's own. */
    offerId: uuid(),
  },
  (t) => [
    foreignKey({
      name: "checkout_slugs_product_fk",
      columns: [t.sellerId, t.productId],
      foreignColumns: [products.sellerId, products.id],
    }).onDelete("cascade"),
    unique("checkout_slugs_owner_key").on(t.sellerId, t.productId, t.offerId).nullsNotDistinct(),
  ],
);

/**
 * Addresses that a product or offer had, by deletion or under another name now: reserved for their seller, since bios and ads
 * still lead there. Written by triggers on `checkout_slugs`; a row ends with the clean-up (`RETENTION`).
 */
export const freedSlugs = pgTable(
  "freed_slugs",
  {
    /** Lower case. */
    slug: text().primaryKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    freedAt: momentOfInsert(),
  },
  (t) => [index("freed_slugs_freed_idx").on(t.freedAt)],
);
