import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { ifAndOnlyIf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Codes that lower a price. Money in cents. */
export const coupons = pgTable(
  "coupons",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    /** Upper case. */
    code: text().notNull(),
    /** 1 to 100 of each line's price. Exactly one of this and `amountCents` is set. */
    percent: integer(),
    /** Subtracted from the product's price. */
    amountCents: integer(),
    /** Whether order bumps are discounted, too; only with `percent`. */
    includesBumps: boolean().notNull().default(false),
    /** The products it is for; null: all, including future ones. */
    productIds: bigint({ mode: "number" }).array(),
    /** The offers of these products that it is for; null: all, and the products' own prices. */
    offerIds: uuid().array(),
    startsAt: moment(),
    endsAt: moment(),
    maxUses: integer(),
    maxUsesPerBuyer: integer(),
    /** The least price of the product before the discount. */
    minimumCents: integer(),
    isFirstPurchaseOnly: boolean().notNull().default(false),
    /** Orders that have it: paid, or with a PIX that can be paid. Counted where an order is placed, and by triggers. */
    uses: integer().notNull().default(0),
    deactivatedAt: moment(),
    /** Deleted by the seller; the row stays for its sales. */
    archivedAt: moment(),
    createdAt: momentOfInsert(),
    updatedAt: momentOfInsert(),
  },
  (t) => [
    ifAndOnlyIf("coupons_discount_check", sql`${t.percent} is null`, sql`${t.amountCents} is not null`),
    check("coupons_percent_check", sql`${t.percent} between 1 and 100`),
    check("coupons_amount_check", sql`${t.amountCents} > 0`),
    check("coupons_bumps_check", sql`${t.percent} is not null or not ${t.includesBumps}`),
    check("coupons_uses_check", sql`${t.uses} >= 0`),
    uniqueIndex("coupons_code_key").on(t.sellerId, t.code).where(sql`archived_at is null`),
    index("coupons_seller_idx").on(t.sellerId, t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
);
