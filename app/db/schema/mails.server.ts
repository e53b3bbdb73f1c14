import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import type { MailData, MailKind, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * The log of mails: a row is written when its mail is queued, and again when the mail was sent or failed. Nothing that these
 * updates change is in an index, except of those that failed, so they write no index (HOT).
 */
export const mails = pgTable(
  "mails",
  {
    id: uuidKey(),
    sellerId: uuid().references(() => sellers.id, { onDelete: "cascade" }),
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    kind: text().$type<MailKind>().notNull(),
    recipient: text().notNull(),
    /** Null until it was rendered and attempted. */
    subject: text(),
    /** `<kind>/<id>`: the same event queues one mail, and the provider sends it once. */
    idempotencyKey: text().notNull(),
    /** The account it was sent by: the seller's own, or the platform's. */
    via: text({ enum: ["platform", "seller"] })
      .notNull()
      .default("platform"),
    /** `attempting`: it has a row in `queued_mails`. */
    status: text({ enum: ["attempting", "sent", "failed"] })
      .notNull()
      .default("attempting"),
    /** Attempts whose result is recorded. */
    attempts: integer().notNull().default(0),
    error: text(),
    /**
     * Why it failed: `account`: the account was refused, or `gave-up`: its time ran out; both may be sent again
     * (`retry-mails`). `refused`: this mail was refused. `dropped`: no longer worth sending.
     */
    failure: text({ enum: ["account", "gave-up", "refused", "dropped"] }),
    providerId: text(),
    createdAt: momentOfInsert(),
    sentAt: moment(),
    failedAt: moment(),
    /** When the seller's template failed, so that ours was rendered instead. */
    templateFailedAt: moment(),
    /** The provider's later events, in whatever order they came. */
    deliveredAt: moment(),
    bouncedAt: moment(),
    complainedAt: moment(),
  },
  (t) => [
    // The index by sale begins with the seller.
    check("mails_seller_check", sql`sale_id is null or seller_id is not null`),
    uniqueIndex("mails_idempotency_key").on(t.idempotencyKey),
    index("mails_seller_idx").on(t.sellerId, t.createdAt),
    index("mails_created_idx").on(t.createdAt),
    index("mails_failed_idx").on(t.sellerId, t.createdAt).where(sql`failed_at is not null`).concurrently(),
    index("mails_failed_at_idx").on(t.failedAt).where(sql`failed_at is not null`).concurrently(),
    index("mails_sale_idx").on(t.sellerId, t.saleId, t.createdAt),
    // Access that did not arrive, for the seller's action items.
    index("mails_refused_access_idx")
      .on(t.sellerId, t.createdAt)
      .where(sql`failure = 'refused' and kind in ('purchase', 'upsell', 'access')`)
      .concurrently(),
    // Mails of no sale, by recipient.
    index("mails_recipient_idx").on(t.recipient).where(sql`sale_id is null`).concurrently(),
    index("mails_unpaid_idx").on(t.recipient, t.createdAt).where(sql`kind in ('pix', 'reminder')`),
    // Purchases whose e-mail was corrected, by the old one: a purchase writes nothing into it.
    index("mails_corrected_idx").on(t.recipient).where(sql`kind = 'email-corrected'`).concurrently(),
  ],
);

/**
 * Mails that wait, and their texts. A row is inserted with its mail's and deleted when the mail was sent or failed; one that
 * `retry-mails` may send again stays for a while. A statement that changes both tables changes this one first.
 */
export const queuedMails = pgTable(
  "queued_mails",
  {
    id: uuid()
      .primaryKey()
      .references(() => mails.id, { onDelete: "cascade" }),
    /** As in `mails`. */
    sellerId: uuid(),
    createdAt: momentOfInsert(),
    /** When a worker may claim it, or its next attempt is due. Null once it failed. */
    scheduledAt: moment().defaultNow(),
    /** Until when a worker owns it. In no index, so that a claim writes none. */
    leasedUntil: moment(),
    /** The slot reserved at its account; null once it was used. A waiting mail may lose it to one of higher priority. */
    slotAt: moment(),
    /** When the current attempt began; null between attempts. An old one belongs to a worker that died. */
    claimedAt: moment(),
    /** Since when the provider may have accepted it without our receiving the answer. */
    uncertainSince: moment(),
    templateFailedAt: moment(),
    attempts: integer().notNull().default(0),
    /** Lower goes first: `domain/mail/queue/priorities.ts`. */
    priority: smallint().notNull().default(2),
    /** The account that sends it, once it is rendered. */
    via: text({ enum: ["platform", "seller"] })
      .notNull()
      .default("platform"),
    /** The account it waits for. Null while a worker has claimed it, or before it is rendered. */
    account: text(),
    /** The id of the HTTP request that queued it, if any. */
    requestId: text(),
    /** What it is rendered from; null where it was written at once. */
    data: jsonb().$type<MailData[RenderedMailKind]>(),
    /**
     * The whole mail, deflated and encrypted: its links open purchases and accounts. Null until it is rendered, before the
     * first attempt.
     */
    bodySealed: text(),
  },
  (t) => [
    check("queued_mails_text_check", sql`num_nonnulls(data, body_sealed) > 0`),
    index("queued_mails_priority_idx").on(t.priority, t.scheduledAt),
    index("queued_mails_account_idx").on(t.account, t.priority, t.createdAt).where(sql`account is not null`),
    index("queued_mails_seller_idx").on(t.sellerId),
    index("queued_mails_waiting_idx").on(t.createdAt).where(sql`scheduled_at is not null`),
    index("queued_mails_failed_idx").on(t.createdAt).where(sql`scheduled_at is null`),
  ],
);

/** How fast an account may send: one pace for all processes. */
export const mailPaces = pgTable("mail_paces", {
  /** A hash of its key. */
  account: text().primaryKey(),
  /** The next free slot. */
  nextSlotAt: moment().notNull(),
  intervalMs: integer().notNull(),
});

/** Accounts that refuse every mail (a key, a password, a domain): the row exists until a mail is accepted again. */
export const mailAccountPauses = pgTable("mail_account_pauses", {
  /** As in `mail_paces`. */
  account: text().primaryKey(),
  via: text({ enum: ["platform", "seller"] }).notNull(),
  pausedAt: moment().notNull().defaultNow(),
  /** Refused attempts, one per pause: each makes the next pause longer. */
  refusals: integer().notNull(),
  /** Nothing is sent until then; afterwards one mail is the trial, whose lease moves this on. */
  pausedUntil: moment().notNull(),
});

/** Reminders of unpaid orders: only the next one of each. */
export const reminders = pgTable(
  "reminders",
  {
    saleId: uuid()
      .primaryKey()
      .references(() => sales.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    /** The first, second or third. */
    number: integer().notNull(),
    /** When the order's first PIX was created. */
    since: moment().notNull(),
    /** When it is due; also its lease. */
    scheduledAt: moment().notNull(),
    /** The id of the HTTP request that created the PIX. */
    requestId: text(),
  },
  (t) => [index("reminders_scheduled_idx").on(t.scheduledAt)],
);
