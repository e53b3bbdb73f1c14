import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { DELIVERY_END_STATUSES, DELIVERY_EVENTS, STOP_REASONS } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** One attempt at a destination. `result` is a code, put into words where it is shown. */
export type DeliveryAttempt = {
  at: string;
  result: string;
  status: number;
  ms: number;
  /** The classes that it opened: they name nobody, and are known after the body was cleared. */
  opened?: number[];
};

/**
 * A seller's destinations: any number of each kind. The kind's own folder defines `settings`; `kind` has no check, so that a
 * new kind needs no migration.
 */
export const destinations = pgTable(
  "destinations",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    name: text().notNull(),
    events: text({ enum: DELIVERY_EVENTS }).array().notNull(),
    /** The products it is notified of; null: all, including future ones. */
    productIds: bigint({ mode: "number" }).array(),
    /** The products excluded where it is notified of all others. `productIds` is null then. */
    exceptProductIds: bigint({ mode: "number" }).array(),
    settings: jsonb().notNull(),
    /** The signing secret, or the credential at the service. */
    secretSealed: text(),
    /** The secret before the last rotation, which signs too until `previousUntil`. */
    previousSecretSealed: text(),
    previousUntil: moment(),
    /** A second secret, where a kind has one. */
    tokenSealed: text(),
    /** While it is set nothing is queued and nothing is sent. */
    stoppedAt: moment(),
    stoppedReason: text({ enum: STOP_REASONS }),
    /** Removed by its seller; the row stays for a day, since a sale that is being booked may still reference it. */
    deletedAt: moment(),
    /** The receiver asked us to wait: nothing is sent before. */
    backoffUntil: moment(),
    /** When the first attempt failed after the last one that did not. */
    failingSince: moment(),
    createdAt: momentOfInsert(),
    updatedAt: momentOfInsert(),
  },
  (t) => [
    index("destinations_seller_idx").on(t.sellerId, t.createdAt),
    uniqueIndex("destinations_utmify_key")
      .on(t.sellerId)
      .where(sql`kind = 'utmify' and deleted_at is null`)
      .concurrently(),
  ],
);

/** One row per event and destination: the queue's state and the delivery log in one. */
export const deliveries = pgTable(
  "deliveries",
  {
    id: uuidKey(),
    /** The order in which deliveries of one subject are sent. */
    sequence: bigint({ mode: "number" }).notNull().generatedByDefaultAsIdentity(),
    destinationId: uuid()
      .notNull()
      .references(() => destinations.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    /** Null in a test. */
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    /** Deliveries are ordered within a subject: the sale; a test is one of its own. */
    subjectId: uuid().notNull(),
    /** What the event is about: the sale, or the charge of a PIX event or of a refusal. */
    aboutId: uuid().notNull(),
    event: text({ enum: DELIVERY_EVENTS }).notNull(),
    /** Whose access it is about where that is not the sale's buyer now: the e-mail before its correction. */
    aboutEmailSealed: text(),
    /** 0, and above for destinations that receive each line separately. */
    part: smallint().notNull().default(0),
    status: text({ enum: ["queued", ...DELIVERY_END_STATUSES] })
      .notNull()
      .default("queued"),
    /** How the last attempt ended, or why none was made: a code. */
    reason: text(),
    attempts: integer().notNull().default(0),
    attemptLog: jsonb().$type<DeliveryAttempt[]>().notNull().default([]),
    /** HTTP status of the last answer; 0 where none came. */
    responseStatus: integer(),
    /** The last answer's body, truncated, without our secrets. */
    responseBody: text(),
    /** The body as it was last sent, for retries; encrypted, since it names a buyer. Null until then. */
    bodySealed: text(),
    /** In the future: a worker is sending it. Each claim has its own timestamp, which identifies it. */
    leasedUntil: moment(),
    /** When it happened. */
    createdAt: momentOfInsert(),
    attemptedAt: moment(),
    /** When the next attempt is due; null where none is. */
    nextAttemptAt: moment(),
    /**
     * While it is queued: when a worker claims it. Moved on by a lease. Null while it waits for another delivery, whose end
     * sets it. Not to be shown: that is `nextAttemptAt`.
     */
    scheduledAt: moment().defaultNow(),
    /** Since when it waits for one of its destination's calls to end, until it is claimed; null where it does not. */
    parkedAt: moment(),
    /** The id of the request that queued it, where one did. */
    requestId: text(),
    /** When body and answer were cleared; the row stays. */
    clearedAt: moment(),
  },
  (t) => [
    oneOf("deliveries_event_check", t.event, DELIVERY_EVENTS),
    uniqueIndex("deliveries_event_key").on(t.destinationId, t.aboutId, t.event, t.part),
    index("deliveries_subject_idx")
      .on(t.destinationId, t.subjectId, t.sequence)
      .where(sql`status = 'queued' and subject_id is not null`)
      .concurrently(),
    index("deliveries_scheduled_at_idx")
      .on(t.scheduledAt)
      .where(sql`status = 'queued' and scheduled_at is not null`)
      .concurrently(),
    index("deliveries_leased_idx")
      .on(t.destinationId)
      .where(sql`status = 'queued' and leased_until is not null`)
      .concurrently(),
    index("deliveries_parked_idx")
      .on(t.destinationId, t.sequence)
      .where(sql`status = 'queued' and parked_at is not null`)
      .concurrently(),
    index("deliveries_log_idx").on(t.destinationId, t.sequence.desc().nullsFirst()),
    index("deliveries_sale_idx").on(t.sellerId, t.saleId),
    index("deliveries_text_idx").on(t.createdAt).where(sql`cleared_at is null and status <> 'queued'`),
  ],
);
