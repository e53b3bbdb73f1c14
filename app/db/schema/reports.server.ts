import { bigint, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "#app/db/columns.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** What a day's figures are split by: nothing, or one of these. */
export const DIMENSIONS = ["all", "product", "campaign", "method", "coupon", "offer"] as const;

/**
 * The figures of a seller's São Paulo day as last counted: a copy of what the sales contain, written by `refresh-reports`
 * alone. A day with a mark in `report_marks` is out of date and is counted from the sales instead.
 */
export const reportDays = pgTable(
  "report_days",
  {
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    day: date().notNull(),
    dimension: text({ enum: DIMENSIONS }).notNull(),
    /** A product's or an offer's id, a payment method, a coupon's code, `["source","medium","campaign"]`, or nothing. */
    key: text().notNull(),
    /** Sales begun on this day, and those of them that are completed now: of all, and by coupon. */
    created: integer().notNull(),
    converted: integer().notNull(),
    /** Sales completed on this day that still are. */
    sold: integer().notNull(),
    revenueCents: bigint({ mode: "number" }).notNull(),
    /** What remains after the provider's fees and partial refunds. */
    netCents: bigint({ mode: "number" }).notNull(),
    /** Of those sold: the fees that providers stated of all payments, and sales whose own fee is not known; of all only. */
    feeCents: bigint({ mode: "number" }).notNull(),
    withoutFee: integer().notNull(),
    /** Of those sold: with an order bump, and upsells of another sale. */
    withBump: integer().notNull(),
    upsells: integer().notNull(),
    /** What coupons took off the prices of those sold; by coupon only. */
    discountCents: bigint({ mode: "number" }).notNull(),
    /** Mails to buyers queued on this day: how many, sent, failed, and attempts altogether. */
    mails: integer().notNull(),
    mailsSent: integer().notNull(),
    mailsFailed: integer().notNull(),
    mailAttempts: integer().notNull(),
  },
  (t) => [index("report_days_idx").on(t.sellerId, t.dimension, t.day)],
);

/**
 * When each buyer of a seller last completed a sale that is still completed. Rows since a day are the buyers of a period
 * that ends today.
 */
export const reportBuyers = pgTable(
  "report_buyers",
  {
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    email: text().notNull(),
    lastCompletedAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.email] })],
);

/** How many buyers have their last sale (`report_buyers`) on each day: a period's buyers are a sum over its days. */
export const reportBuyerDays = pgTable(
  "report_buyer_days",
  {
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    day: date().notNull(),
    buyers: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.day] })],
);

/**
 * Days and buyers whose copies are out of date. Triggers on `sales` and `mails` append to it in the transaction that changed
 * the row; nothing is ever updated here, so sales of one seller never wait for each other.
 */
export const reportMarks = pgTable(
  "report_marks",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    sellerId: uuid().notNull(),
    day: date().notNull(),
    email: text(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.day, t.id] })],
);
