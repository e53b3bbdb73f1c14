import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, momentOfInsert } from "#app/db/columns.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Columns of products, order bumps and upsells. Money is integer cents. */
const sellable = {
  name: text().notNull(),
  description: text(),
  priceCents: integer().notNull(),
  originalPriceCents: integer(),
  /** 0 to 100, as the seller typed it; screens compute the true percentage from the prices. */
  discountPercentage: integer(),
  imageUrl: text(),
  /** What the buyer downloads. Never sent to anyone who has not paid. */
  fileUrl: text(),
  /** The newest link it has had, for who ordered with one (`lineLink`). Maintained by triggers. */
  lastFileUrl: text(),
};

export const products = pgTable(
  "products",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    ...sellable,
    redirectUrl: text(),
    promotionText: text(),
    urgencyText: text(),
    bannerImageUrl: text(),
    bannerLinkUrl: text(),
    /** Unique among products and offers: `checkout_slugs`. */
    checkoutSlug: text(),
    /** Null while it is for sale. */
    deactivatedAt: moment(),
    /** Deleted by the seller; the row stays for its sales. */
    archivedAt: moment(),
    createdAt: momentOfInsert(),
    updatedAt: momentOfInsert(),
  },
  (t) => [
    // What references a product names its seller, too.
    unique("products_seller_key").on(t.sellerId, t.id),
    // By time, not by id: for an order by id Postgres may walk the primary key, past all other sellers' products. Drizzle's
    // desc() alone puts nulls last, which no `order by … desc` matches.
    index("products_seller_idx").on(t.sellerId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
);

/** A row that belongs to a product of the same seller, and is deleted with it. */
const ofProduct = (name: string, { sellerId, productId }: Record<"sellerId" | "productId", AnyPgColumn>) =>
  foreignKey({
    name,
    columns: [sellerId, productId],
    foreignColumns: [products.sellerId, products.id],
  }).onDelete("cascade");

export const orderBumps = pgTable(
  "order_bumps",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    productId: bigint({ mode: "number" }).notNull(),
    position: integer().notNull().default(0),
    ...sellable,
    promotionText: text(),
    urgencyText: text(),
    deactivatedAt: moment(),
    createdAt: momentOfInsert(),
  },
  (t) => [
    ofProduct("order_bumps_product_fk", t),
    index("order_bumps_product_idx").on(t.sellerId, t.productId, t.position),
  ],
);

/** Shown to the buyer after the product was paid. */
export const upsells = pgTable(
  "upsells",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity({ startWith: 1001 }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    productId: bigint({ mode: "number" }).notNull(),
    position: integer().notNull().default(0),
    ...sellable,
    videoUrl: text(),
    benefits: text().array().notNull().default(sql`'{}'`),
    deactivatedAt: moment(),
    createdAt: momentOfInsert(),
  },
  (t) => [
    ofProduct("upsells_product_fk", t),
    index("upsells_product_idx").on(t.sellerId, t.productId, t.position),
  ],
);

/**
 * How many sales of an upsell are completed: the sum of its rows. Maintained by a trigger on sales; a connection writes one
 * row of sixteen, so that settlements of one upsell do not wait for each other.
 */
export const upsellSaleCounts = pgTable(
  "upsell_sale_counts",
  {
    upsellId: bigint({ mode: "number" })
      .notNull()
      .references(() => upsells.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    /** -1: sales from before the count existed. */
    shard: integer().notNull(),
    completed: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.upsellId, t.shard] })],
);
