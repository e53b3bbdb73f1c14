import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** The states UTMify knows, in the order in which an order may pass through them. */
export const ORDER_STATES = ["waiting_payment", "refused", "paid", "refunded", "chargedback"] as const;

/** A seller's account at UTMify and what is reported to it. */
export const trackingConnections = pgTable("tracking_connections", {
  sellerId: uuid()
    .primaryKey()
    .references(() => sellers.id, { onDelete: "cascade" }),
  apiTokenSealed: text(),
  /** Null: UTMify's own address. */
  apiUrl: text(),
  sourceId: text().notNull().default("checkintelli"),
  enabledAt: moment(),
  onPurchase: boolean().notNull().default(true),
  onRefund: boolean().notNull().default(false),
  onChargeback: boolean().notNull().default(false),
  updatedAt: createdAt(),
});

/** Which products are reported; one without a row is. */
export const trackingProducts = pgTable("tracking_products", {
  productId: bigint({ mode: "number" })
    .primaryKey()
    .references(() => products.id, { onDelete: "cascade" }),
  isEnabled: boolean().notNull(),
});

/**
 * One row a state of an order: the queue's state and the delivery log in one, of versions that told UTMify from here. What is
 * still of use is brought over to the outbox: docs/decisions/utmify-moves-to-the-outbox.md.
 */
export const trackingEvents = pgTable(
  "tracking_events",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    state: text({ enum: ORDER_STATES }).notNull(),
    /** 0 is sent by itself, once a state; above are those the seller sent again. */
    resend: smallint().notNull().default(0),
    /** The payment provider's id, for the seller to find the payment by. */
    transactionId: text(),
    /** The whole order as it goes over the wire, frozen when it was queued. */
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** `dropped`: not sent on purpose; `note` says why. `moved`: it is in the outbox now. */
    status: text({ enum: ["queued", "sent", "failed", "dropped", "moved"] })
      .notNull()
      .default("queued"),
    attempts: integer().notNull().default(0),
    /** HTTP status of the last answer; 0 where none came. */
    responseStatus: integer(),
    /** The last answer's body, cut short, without the token. */
    responseBody: text(),
    note: text(),
    /** While it lies in the future somebody is sending one of this order's states. */
    claimedUntil: moment(),
    createdAt: createdAt(),
    attemptedAt: moment(),
    /** When the buyer was taken out of its payload and the answer's body was emptied; the row stays. */
    clearedAt: moment(),
  },
  (t) => [
    uniqueIndex("tracking_events_state_key").on(t.saleId, t.state, t.resend),
    index("tracking_events_text_idx").on(t.createdAt).where(sql`cleared_at is null and status <> 'queued'`),
    index("tracking_events_seller_idx").on(t.sellerId, t.attemptedAt.desc()),
  ],
);
