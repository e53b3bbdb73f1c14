import { bigint, date, index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { DEVICES } from "#app/kit/device.ts";

/**
 * What a day's numbers are split by, as `grouping(product_id, campaign, device)` returns it: each bit is something they are
 * not split by. Each number is stored seven times, so that no report sums more rows than it shows.
 */
export function splitBy({ product = false, campaign = false, device = false }): number {
  return (product ? 0 : 4) + (campaign ? 0 : 2) + (device ? 0 : 1);
}
/** Not stored: the sum of the devices. */
export const NOT_SPLIT = splitBy({});
export const STORED_SPLITS = Array.from({ length: NOT_SPLIT }, (_, split) => split);

/** Characters of `utm_source` and of `utm_campaign` that distinguish campaigns: an index holds both. */
export const CAMPAIGN_LENGTH = 100;
/** The campaign of visits without one, and of all beyond those that are counted by name. */
export const NO_CAMPAIGN = "[null, null]";
export const OTHER_CAMPAIGNS = "[]";

/** The seller, São Paulo day and split of a row. */
const dimensionColumns = () => ({
  sellerId: uuid()
    .notNull()
    .references(() => sellers.id, { onDelete: "cascade" }),
  split: smallint().notNull(),
  day: date().notNull(),
  /** 0 where the day is not split by product. */
  productId: bigint({ mode: "number" }).notNull(),
  /** `["source", "campaign"]`, `[]` for all the others; empty where the day is not split by campaign. */
  campaign: text().notNull(),
  /** Empty where the day is not split by device. */
  device: text({ enum: [...DEVICES, "unknown", ""] }).notNull(),
});

/**
 * How often checkouts were viewed, and their forms begun. Several processes add to the same row from counters in their
 * memory. Contains only numbers, no persons.
 */
export const funnelViews = pgTable(
  "funnel_views",
  { ...dimensionColumns(), seen: integer().notNull(), begun: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.split, t.device, t.day, t.productId, t.campaign] }),
    index("funnel_views_product_idx").on(t.sellerId, t.split, t.productId, t.device, t.day),
    index("funnel_views_campaign_idx").on(t.sellerId, t.split, t.campaign, t.device, t.day),
  ],
);

/**
 * What became of the orders of a day, as last counted: a copy of what the sales contain, written by `refresh-reports` alone.
 * A day with a mark in `funnel_marks` is out of date and is counted from the sales instead.
 */
export const funnelOrders = pgTable(
  "funnel_orders",
  {
    ...dimensionColumns(),
    /** Orders of the day that got a PIX, and those of them that were paid since, whenever that was. */
    pix: integer().notNull(),
    paid: integer().notNull(),
    /** Of those paid: how many buyers accepted an upsell afterwards, and how many paid for it. */
    upsells: integer().notNull(),
    upsellsPaid: integer().notNull(),
    /** How many buyers were reminded, how many paid after the first reminder, and the amount. */
    reminded: integer().notNull(),
    recovered: integer().notNull(),
    recoveredCents: bigint({ mode: "number" }).notNull(),
    /** Of those paid, where the browser reported when it first showed the checkout: how long it took from there. */
    in2m: integer().notNull(),
    in5m: integer().notNull(),
    in15m: integer().notNull(),
    in1h: integer().notNull(),
    in1d: integer().notNull(),
    inMore: integer().notNull(),
  },
  (t) => [
    index("funnel_orders_idx").on(t.sellerId, t.split, t.device, t.day),
    index("funnel_orders_product_idx").on(t.sellerId, t.split, t.productId, t.device, t.day),
    index("funnel_orders_campaign_idx").on(t.sellerId, t.split, t.campaign, t.device, t.day),
  ],
);

/** Days of `funnel_orders` that are out of date. Triggers on `sales`, `charges` and `mails` append to it; nothing is updated. */
export const funnelMarks = pgTable(
  "funnel_marks",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    sellerId: uuid().notNull(),
    day: date().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.day, t.id] })],
);
