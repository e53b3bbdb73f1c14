import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { buyerSearchVector } from "#app/db/schema/buyer-search.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { type AdIds, CAUSES, type Campaign, SALE_EVENTS, SALE_STATUSES } from "#app/db/schema/lists.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { DEVICES } from "#app/kit/device.ts";

export const sales = pgTable(
  "sales",
  {
    id: uuidKey(),
    // A seller with sales cannot be deleted: the records stay.
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    productId: bigint({ mode: "number" }).notNull(),
    /** The sale whose buyer accepted the upsell that this one is for. */
    parentSaleId: uuid().references((): AnyPgColumn => sales.id),
    status: text({ enum: SALE_STATUSES }).notNull().default("pending"),
    /** What its payment method costs. 0: a free order, which has no charge and is completed when it is placed. */
    amountCents: integer().notNull(),
    /** What it costs less if it is paid by PIX; `requote_sale` keeps amount and lines by the payment method. */
    pixDiscountCents: integer().notNull().default(0),
    /** The coupon that lowered its price, and its code at the time of the order. */
    couponId: uuid().references(() => coupons.id),
    couponCode: text(),
    /** The offer whose price it has, and its name at the time of the order; null: the product's own. */
    offerId: uuid().references(() => offers.id),
    offerName: text(),
    quantity: integer().notNull().default(1),
    paymentMethod: text().notNull().default("pix"),
    // What a buyer gave; null where they gave nothing.
    customerName: text(),
    /** Lowercase. */
    customerEmail: text(),
    /** When it was last corrected: from then on the address alone does not open the sale. Null where it never was. */
    emailCorrectedAt: moment(),
    /** E.164. */
    customerPhone: text(),
    /** CPF or CNPJ, encrypted. */
    customerDocumentSealed: text(),
    customerIp: text(),
    utmSource: text(),
    utmMedium: text(),
    utmCampaign: text(),
    utmTerm: text(),
    utmContent: text(),
    /** The other campaign parameters: src, sck, click ids. */
    campaign: jsonb().$type<Campaign>().notNull().default({}),
    /** Whether the buyer consented to ad platforms being notified; null where nobody asked. */
    adConsent: boolean(),
    /** Stored only with consent. */
    adIds: jsonb().$type<AdIds>(),
    /** The guarantee promised with the order; null in sales from before it was recorded. */
    guaranteeDays: integer(),
    /** Order fingerprint, a keyed hash of buyer, product and bumps: the same order in the same browser is the same sale. */
    orderKey: text().notNull(),
    /** Submission fingerprint, a keyed hash of client, browser and every field: a repeat within minutes is the same sale. */
    submissionKey: text(),
    /** Keyed hash of the client's address: unpaid orders are counted by it. */
    clientKey: text(),
    /** What the buyer ordered on; null where it was no browser. */
    device: text({ enum: DEVICES }),
    /** When their tab first showed the checkout, as its script reported with the order. */
    seenAt: moment(),
    createdAt: momentOfInsert(),
    completedAt: moment(),
    /** When all of it had been refunded. */
    refundedAt: moment(),
    /** Since when its buyer has no access while the payment is disputed; null where access is not suspended. */
    accessSuspendedAt: moment(),
    /** Since when the provider reports the paid charge as cancelled or expired; null while it does not. */
    cancelledSince: moment(),
    /** When the seller confirmed that this money was not refunded; null again when the provider reports another state. */
    cancelledCheckedAt: moment(),
    /** The provider's fee of the payment that counts, in cents; null where unknown. */
    feeCents: integer(),
    /** How much of the payment that counts was refunded, in cents; all of it where it was contested. */
    refundedCents: integer().notNull().default(0),
    /**
     * What remains, after refunds and fees, of payments that do not count: overpayments and amount mismatches; and their fees, as
     * far as known. Maintained by triggers on charges and refunds, so that reports sum sales alone.
     */
    extraNetCents: integer().notNull().default(0),
    extraFeeCents: integer().notNull().default(0),
    /** Since when a payment of it is an action item (`handsOf`), else null. Maintained likewise, so that an index finds a seller's. */
    actionSince: moment(),
    /** When its buyer was anonymized; amounts, days and what was sold stay. */
    anonymizedAt: moment(),
    /** The replacement for the buyer in reports: random, the same in all sales of one buyer anonymized together. */
    anonymizedAs: text(),
  },
  (t) => [
    oneOf("sales_status_check", t.status, SALE_STATUSES),
    check("sales_amount_check", sql`${t.amountCents} >= 0`),
    // No empty texts: null stands for nothing.
    check("sales_customer_check", sql`'' not in (${t.customerName}, ${t.customerEmail}, ${t.customerPhone})`),
    check("sales_refunded_cents_check", sql`${t.refundedCents} between 0 and ${t.amountCents}`),
    ifAndOnlyIf(
      "sales_completed_at_check",
      sql`${t.status} in ('completed', 'disputed', 'refunded', 'chargedback')`,
      sql`${t.completedAt} is not null`,
    ),
    check("sales_access_suspended_check", sql`${t.accessSuspendedAt} is null or ${t.status} = 'disputed'`),
    ifAndOnlyIf("sales_refunded_at_check", sql`${t.status} = 'refunded'`, sql`${t.refundedAt} is not null`),
    foreignKey({
      name: "sales_product_fk",
      columns: [t.sellerId, t.productId],
      foreignColumns: [products.sellerId, products.id],
    }),
    index("sales_seller_idx").on(t.sellerId, t.createdAt.desc().nullsFirst(), t.id),
    index("sales_cancelled_since_idx")
      .on(t.sellerId, t.cancelledSince)
      .where(sql`cancelled_since is not null`)
      .concurrently(),
    index("sales_status_idx").on(t.sellerId, t.status, t.createdAt.desc().nullsFirst(), t.id),
    index("sales_method_idx")
      .on(t.sellerId, t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`payment_method <> 'pix'`),
    index("sales_product_idx").on(t.sellerId, t.productId, t.createdAt.desc().nullsFirst(), t.id),
    index("sales_buyer_idx").on(t.sellerId, t.customerEmail.op("text_pattern_ops"), t.productId),
    index("sales_buyer_search_idx").using("gin", buyerSearchVector),
    index("sales_order_key_idx").on(t.sellerId, t.orderKey, t.createdAt),
    // A client's orders at all sellers.
    index("sales_client_idx").on(t.clientKey, t.createdAt).where(sql`client_key is not null`),
    index("sales_customer_email_idx").on(t.customerEmail, t.createdAt),
    // A buyer's purchases, newest first.
    index("sales_buyer_portal_idx")
      .on(t.customerEmail, t.completedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`completed_at is not null`)
      .concurrently(),
    index("sales_pending_idx").on(t.createdAt).where(sql`status = 'pending'`),
    // Ad identifiers to be deleted.
    index("sales_ad_ids_idx").on(t.createdAt).where(sql`ad_ids is not null`).concurrently(),
    // Orders whose buyer is anonymized by age, since nobody paid them.
    index("sales_pending_anonymization_idx")
      .on(t.createdAt)
      .where(sql`completed_at is null and anonymized_at is null`)
      .concurrently(),
    // Anonymized sales, for the count of a seller's buyers and for the second pass of an erasure.
    index("sales_anonymized_idx")
      .on(t.anonymizedAs, t.sellerId)
      .where(sql`anonymized_as is not null`)
      .concurrently(),
    index("sales_action_idx")
      .on(t.sellerId, t.actionSince)
      .where(sql`action_since is not null`)
      .concurrently(),
    index("sales_coupon_idx")
      .on(t.couponId, t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`coupon_id is not null`)
      .concurrently(),
    index("sales_offer_idx")
      .on(t.offerId, t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`offer_id is not null`)
      .concurrently(),
    ifAndOnlyIf("sales_offer_check", sql`${t.offerId} is null`, sql`${t.offerName} is null`),
    check("sales_quantity_check", sql`${t.quantity} >= 1`),
    ifAndOnlyIf("sales_coupon_check", sql`${t.couponId} is null`, sql`${t.couponCode} is null`),
    index("sales_parent_idx").on(t.sellerId, t.parentSaleId).where(sql`parent_sale_id is not null`),
    index("sales_seller_completed_idx").on(t.sellerId, t.completedAt).where(sql`completed_at is not null`),
  ],
);

/** What was sold, with name and price at that time. */
export const saleLines = pgTable(
  "sale_lines",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    kind: text({ enum: ["product", "bump", "offer"] }).notNull(),
    productId: bigint({ mode: "number" }).references(() => products.id, { onDelete: "set null" }),
    orderBumpId: bigint({ mode: "number" }).references(() => orderBumps.id, { onDelete: "set null" }),
    upsellId: bigint({ mode: "number" }).references(() => upsells.id, { onDelete: "set null" }),
    /** The number of any of the three, which stays where the item is deleted: destinations know it by that. Null if unknown. */
    itemId: bigint({ mode: "number" }),
    position: integer().notNull().default(0),
    /** With the quantity, if it is more than one: `3 × Curso`. */
    name: text().notNull(),
    quantity: integer().notNull().default(1),
    /** Paid for all units: the list price without the coupon's discount, and the payment method's of what that leaves. */
    priceCents: integer().notNull(),
    discountCents: integer().notNull().default(0),
    /** `pixDiscountCents` where it is paid by PIX, else 0. */
    methodDiscountCents: integer().notNull().default(0),
    pixDiscountCents: integer().notNull().default(0),
    /** The download as it was when sold; a newer one of the product is used first (`lineLink`). */
    fileUrl: text(),
  },
  (t) => [
    oneOf("sale_lines_kind_check", t.kind, ["product", "bump", "offer"]),
    check(
      "sale_lines_price_check",
      sql`${t.priceCents} >= 0 and ${t.discountCents} >= 0 and ${t.methodDiscountCents} in (0, ${t.pixDiscountCents}) and ${t.pixDiscountCents} >= 0`,
    ),
    index("sale_lines_sale_idx").on(t.sellerId, t.saleId, t.position),
    // Deleting a product, bump or upsell looks up the lines that reference it.
    index("sale_lines_product_idx").on(t.productId).where(sql`product_id is not null`),
    index("sale_lines_order_bump_idx").on(t.orderBumpId).where(sql`order_bump_id is not null`),
    index("sale_lines_upsell_idx").on(t.upsellId).where(sql`upsell_id is not null`),
  ],
);

/** A sale's events, each once, in the order they were learned. The data of each kind: domain/sale/events.ts. */
export const saleEvents = pgTable(
  "sale_events",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    kind: text({ enum: SALE_EVENTS }).notNull(),
    data: jsonb().notNull().default({}),
    cause: text({ enum: CAUSES }).notNull(),
    at: momentOfInsert(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.saleId, t.id] }),
    oneOf("sale_events_kind_check", t.kind, SALE_EVENTS),
    oneOf("sale_events_cause_check", t.cause, CAUSES),
  ],
);
