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
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import { DESTINATION_KINDS, NEWS_ENDS, NEWS_EVENTS, STOP_REASONS } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** One try to tell a destination. `result` is a kind; words are made where it is shown. */
export type NewsTry = { at: string; result: string; status: number; ms: number };

/** Who is told of a seller's sales: any number of each kind. What a kind keeps in `settings` its own folder says. */
export const destinations = pgTable(
  "destinations",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    kind: text({ enum: DESTINATION_KINDS }).notNull(),
    name: text().notNull(),
    events: text({ enum: NEWS_EVENTS }).array().notNull(),
    /** The products it hears of; null: all there are and will be. */
    productIds: bigint({ mode: "number" }).array(),
    /** Where it hears of all products but some: those. `productIds` is null then. */
    exceptProductIds: bigint({ mode: "number" }).array(),
    settings: jsonb().notNull(),
    /** What it is signed with, or who we say we are. */
    secretSealed: text(),
    /** The secret before the last change, which signs too until `previousUntil`. */
    previousSecretSealed: text(),
    previousUntil: moment(),
    /** A second secret, where a kind has one. */
    tokenSealed: text(),
    /** While it is set nothing is queued and nothing is sent. */
    stoppedAt: moment(),
    stoppedWhy: text({ enum: STOP_REASONS }),
    /** Removed by its seller; the row stays for a day, since a sale that is being booked may still name it. */
    deletedAt: moment(),
    /** It asked for some quiet: nothing is sent before. */
    restUntil: moment(),
    /** When the first try failed after the last one that did not. */
    failingSince: moment(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    oneOf("destinations_kind_check", t.kind, DESTINATION_KINDS),
    index("destinations_seller_idx").on(t.sellerId, t.createdAt),
    uniqueIndex("destinations_utmify_key")
      .on(t.sellerId)
      .where(sql`kind = 'utmify' and deleted_at is null`)
      .concurrently(),
  ],
);

/** What is told to whom, a row each: the queue's state and the delivery log in one. */
export const outbox = pgTable(
  "outbox",
  {
    id: uuidKey(),
    /** The order in which news of one subject is told. */
    place: bigint({ mode: "number" }).notNull().generatedByDefaultAsIdentity(),
    destinationId: uuid()
      .notNull()
      .references(() => destinations.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    /** Null in a test. */
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    /** What keeps the order: the sale; a test is a subject of its own. */
    subjectId: uuid().notNull(),
    /** What happened: the sale, or the charge that news of a PIX is about. */
    aboutId: uuid().notNull(),
    event: text({ enum: NEWS_EVENTS }).notNull(),
    /** Whose access it is about where that is not who the sale names now: the e-mail of before it was corrected. */
    aboutEmailSealed: text(),
    /** 0, and above for destinations that hear of each thing sold by itself. */
    part: smallint().notNull().default(0),
    status: text({ enum: ["queued", ...NEWS_ENDS] })
      .notNull()
      .default("queued"),
    /** How the last try ended, or why none was made: a kind. */
    why: text(),
    attempts: integer().notNull().default(0),
    tries: jsonb().$type<NewsTry[]>().notNull().default([]),
    /** HTTP status of the last answer; 0 where none came. */
    responseStatus: integer(),
    /** The last answer's body, cut short, without our secrets. */
    responseBody: text(),
    /** As it was first sent and is sent again, encrypted: it names a buyer. Null until then. */
    bodySealed: text(),
    /** While it lies in the future somebody is telling it. Each who takes it knows it by a moment of their own. */
    claimedUntil: moment(),
    /** When it happened. */
    createdAt: createdAt(),
    triedAt: moment(),
    /** When the next try is due; null where none is. */
    nextAt: moment(),
    /**
     * While it is queued: when somebody may look at it. Whoever tells it moves it on by a lease; so does what it has to wait
     * for. A pump's moment, not one to show: that is `nextAt`.
     */
    dueAt: moment().notNull().defaultNow(),
    /** Since when it waits for one of its destination's calls to end; null where it does not. */
    parkedAt: moment(),
    /** The id of the request that queued it, where one did. */
    requestId: text(),
    /** When body and answer were emptied; the row stays. */
    clearedAt: moment(),
  },
  (t) => [
    oneOf("outbox_event_check", t.event, NEWS_EVENTS),
    uniqueIndex("outbox_news_key").on(t.destinationId, t.aboutId, t.event, t.part),
    index("outbox_subject_idx")
      .on(t.destinationId, t.subjectId, t.place)
      .where(sql`status = 'queued' and subject_id is not null`)
      .concurrently(),
    index("outbox_due_at_idx")
      .on(t.dueAt)
      .where(sql`status = 'queued' and due_at is not null`)
      .concurrently(),
    index("outbox_claimed_idx")
      .on(t.destinationId)
      .where(sql`status = 'queued' and claimed_until is not null`)
      .concurrently(),
    index("outbox_parked_idx")
      .on(t.destinationId, t.place)
      .where(sql`status = 'queued' and parked_at is not null`)
      .concurrently(),
    index("outbox_log_idx").on(t.destinationId, t.place.desc().nullsFirst()),
    index("outbox_sale_idx").on(t.saleId).where(sql`sale_id is not null`),
    index("outbox_seller_idx").on(t.sellerId),
    index("outbox_text_idx").on(t.createdAt).where(sql`cleared_at is null and status <> 'queued'`),
  ],
);
