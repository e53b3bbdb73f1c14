import { bigint, date, index, integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { DEVICES } from "#app/kit/device.ts";

/**
 * What a day's numbers are split by, as `grouping(product_id, campaign, device)` tells it: each bit is something they are
 * not split by. The same numbers seven times over, so that no report adds up more than it shows.
 */
export function splitBy({ product = false, campaign = false, device = false }): number {
  return (product ? 0 : 4) + (campaign ? 0 : 2) + (device ? 0 : 1);
}
/** Not kept: the sum of the devices. */
export const NOT_SPLIT = splitBy({});
export const KEPT_SPLITS = Array.from({ length: NOT_SPLIT }, (_, split) => split);

/** Characters of `utm_source` and of `utm_campaign` by which campaigns are told apart: an index holds both. */
export const CAMPAIGN_LENGTH = 100;
/** The campaign of who came by none, and of all beyond those that are counted by name. */
export const NO_CAMPAIGN = "[null, null]";
export const OTHER_CAMPAIGNS = "[]";

/** Whose numbers these are, of which São Paulo day, and of which part of it. */
const place = () => ({
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
 * How often checkouts were seen, and their forms begun. Several processes add to the same row; what they add was counted in
 * their memory. Nobody is in here, only numbers.
 */
export const funnelViews = pgTable(
  "funnel_views",
  { ...place(), seen: integer().notNull(), begun: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.split, t.device, t.day, t.productId, t.campaign] }),
    index("funnel_views_product_idx").on(t.sellerId, t.split, t.productId, t.device, t.day),
    index("funnel_views_campaign_idx").on(t.sellerId, t.split, t.campaign, t.device, t.day),
  ],
);

/**
 * What became of the orders of a day, as it was when last counted: a copy of what the sales say, written by
 * `refresh-reports` alone. A day with a mark in `funnel_marks` is out of date and is counted from the sales instead.
 */
export const funnelOrders = pgTable(
  "funnel_orders",
  {
    ...place(),
    /** Orders of the day that got a PIX, and those of them that were paid since, whenever that was. */
    pix: integer().notNull(),
    paid: integer().notNull(),
    /** Of those paid: whose buyers took an offer afterwards, and who paid for it. */
    offers: integer().notNull(),
    offersPaid: integer().notNull(),
    /** Whose buyers were reminded, who paid after the first reminder, and their money. */
    reminded: integer().notNull(),
    recovered: integer().notNull(),
    recoveredCents: bigint({ mode: "number" }).notNull(),
    /** Of those paid, where the browser told when it first showed the checkout: how long it took from there. */
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
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    sellerId: uuid().notNull(),
    day: date().notNull(),
  },
  (t) => [index("funnel_marks_idx").on(t.sellerId, t.day)],
);
