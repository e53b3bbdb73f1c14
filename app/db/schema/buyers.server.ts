import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { REFUND_ANSWERS, REFUND_REQUEST_KINDS } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * A session of the buyer portal, requested by mail: a link until it is opened, then that browser's session. Whoever has it
 * reads the mailbox of `email`. Only hashes are stored.
 */
export const buyerSessions = pgTable(
  "buyer_sessions",
  {
    id: uuidKey(),
    /** Lowercase. */
    email: text().notNull(),
    /** SHA-256 of the token in the link. */
    linkHash: text().notNull(),
    /** SHA-256 of the cookie's token; null until the link is opened. */
    tokenHash: text(),
    /** When the link expires; once it was opened, when the session does. */
    expiresAt: moment().notNull(),
    createdAt: momentOfInsert(),
  },
  (t) => [
    uniqueIndex("buyer_sessions_link_hash_key").on(t.linkHash),
    uniqueIndex("buyer_sessions_token_hash_key").on(t.tokenHash),
    index("buyer_sessions_expires_idx").on(t.expiresAt),
  ],
);

/** An erasure request: the row exists until everything is done. */
export const erasures = pgTable(
  "erasures",
  {
    /** The replacement for the buyer in reports: `sales.anonymized_as`. */
    id: uuidKey(),
    /** Lowercase. */
    email: text().notNull(),
    /** Later orders stay. */
    requestedAt: momentOfInsert(),
    /** When a worker may claim it; also its lease. */
    scheduledAt: moment().notNull().defaultNow(),
    /** The id of the HTTP request that made it. */
    requestId: text(),
  },
  (t) => [uniqueIndex("erasures_email_key").on(t.email), index("erasures_scheduled_idx").on(t.scheduledAt)],
);

/** A buyer's refund request, one per sale and kind, so that repeated clicks are one request. */
export const refundRequests = pgTable(
  "refund_requests",
  {
    id: uuidKey(),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    kind: text({ enum: REFUND_REQUEST_KINDS }).notNull(),
    /** In the buyer's words; null where they gave none. */
    reason: text(),
    createdAt: momentOfInsert(),
    /** The seller's answer to a question. */
    answer: text({ enum: REFUND_ANSWERS }),
    answerText: text(),
    answeredAt: moment(),
    /** When the refund is requested at the provider next; null where nothing is left to request. */
    nextAttemptAt: moment(),
    attempts: integer().notNull().default(0),
    /** Why the last attempt failed, for the seller. */
    failure: text(),
    failedAt: moment(),
  },
  (t) => [
    oneOf("refund_requests_kind_check", t.kind, REFUND_REQUEST_KINDS),
    oneOf("refund_requests_answer_check", t.answer, REFUND_ANSWERS),
    ifAndOnlyIf("refund_requests_answered_check", sql`${t.answer} is null`, sql`${t.answeredAt} is null`),
    uniqueIndex("refund_requests_sale_key").on(t.sellerId, t.saleId, t.kind),
    index("refund_requests_seller_idx").on(t.sellerId, t.createdAt.desc(), t.id.desc()),
    index("refund_requests_waiting_idx")
      .on(t.sellerId, t.createdAt)
      .where(sql`kind = 'question' and answer is null`),
    // Those that failed and are not retried.
    index("refund_requests_failed_idx")
      .on(t.sellerId, t.failedAt)
      .where(sql`failed_at is not null and next_attempt_at is null`)
      .concurrently(),
    index("refund_requests_next_attempt_idx").on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
  ],
);
