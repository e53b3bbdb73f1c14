import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment, momentOfInsert } from "#app/db/columns.server.ts";
import { upsells } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

const customization = () => ({
  sellerId: uuid()
    .primaryKey()
    .references(() => sellers.id, { onDelete: "cascade" }),
  /** Merged over the defaults when read; see domain/storefront. */
  settings: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  /** Counts the saves: a form that was opened at an earlier one is refused. */
  version: integer().notNull().default(1),
  updatedAt: momentOfInsert(),
});

export const checkoutCustomizations = pgTable("checkout_customizations", customization());
export const thankYouCustomizations = pgTable("thank_you_customizations", customization());

/**
 * The seller's identification, which the law requires to be public (Decreto 7.962/2013, art. 2), so nothing of it is
 * encrypted.
 */
export const storeDetails = pgTable("store_details", {
  sellerId: uuid()
    .primaryKey()
    .references(() => sellers.id, { onDelete: "cascade" }),
  legalName: text().notNull(),
  /** A CPF (11 digits) or CNPJ (14 characters), without punctuation. */
  taxId: text().notNull(),
  street: text().notNull(),
  number: text().notNull(),
  complement: text(),
  district: text().notNull(),
  city: text().notNull(),
  /** Two letters. */
  state: text().notNull(),
  /** Eight digits. */
  postalCode: text().notNull(),
  email: text().notNull(),
  /** E.164. */
  phone: text(),
  updatedAt: momentOfInsert(),
});

/** An upsell offered to the buyer of one sale: its deadline, and the answer. Declining all answers those not shown, too. */
export const upsellShowings = pgTable(
  "upsell_showings",
  {
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    upsellId: bigint({ mode: "number" })
      .notNull()
      .references(() => upsells.id, { onDelete: "cascade" }),
    shownAt: momentOfInsert(),
    /** A few seconds later it can be accepted no longer. */
    expiresAt: moment().notNull(),
    answer: text({ enum: ["accepted", "declined"] }),
    answeredAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.saleId, t.upsellId] }),
    // Removing an upsell looks up its showings.
    index("upsell_showings_upsell_idx").on(t.upsellId),
  ],
);
