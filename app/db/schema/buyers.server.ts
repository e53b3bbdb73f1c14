import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { exactlyWhen, oneOf } from "#app/db/checks.server.ts";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import { REFUND_ANSWERS, REFUND_REQUEST_KINDS } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/**
 * A way into the buyer's place, asked for by mail: a link until it is pressed, then that browser's session. Whoever has it
 * reads the mailbox of `email`. Only hashes are kept.
 */
export const buyerSessions = pgTable(
  "buyer_sessions",
  {
    id: uuidKey(),
    /** Lowercase. */
    email: text().notNull(),
    /** SHA-256 of the token in the link. */
    linkHash: text().notNull(),
    /** SHA-256 of the cookie's token; null until the link is pressed. */
    tokenHash: text(),
    /** When the link ends; once it was pressed, when the session does. */
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("buyer_sessions_link_hash_key").on(t.linkHash),
    uniqueIndex("buyer_sessions_token_hash_key").on(t.tokenHash),
    index("buyer_sessions_expires_idx").on(t.expiresAt),
  ],
);

/** A buyer's wish to be forgotten: the row is there while anything of it is left to do, and goes with it. */
export const erasures = pgTable(
  "erasures",
  {
    /** Whom reports count in the buyer's place: `sales.emptied_as`. */
    id: uuidKey(),
    /** Lowercase. */
    email: text().notNull(),
    /** What was ordered later stays. */
    askedAt: createdAt(),
    /** When somebody may take it. Whoever has taken it moves it on by a lease. */
    dueAt: moment().notNull().defaultNow(),
    /** The id of the request that asked for it. */
    requestId: text(),
  },
  (t) => [uniqueIndex("erasures_email_key").on(t.email), index("erasures_due_idx").on(t.dueAt)],
);

/** A buyer's wish to have their money back, once a sale and kind, so that any number of presses at once is one request. */
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
    createdAt: createdAt(),
    /** What the seller said to a question. */
    answer: text({ enum: REFUND_ANSWERS }),
    answerText: text(),
    answeredAt: moment(),
    /** When the provider is asked the next time; null where there is nothing (more) to ask for. */
    nextTryAt: moment(),
    tries: integer().notNull().default(0),
    /** Why it did not work the last time, for the seller. */
    failure: text(),
    failedAt: moment(),
  },
  (t) => [
    oneOf("refund_requests_kind_check", t.kind, REFUND_REQUEST_KINDS),
    oneOf("refund_requests_answer_check", t.answer, REFUND_ANSWERS),
    exactlyWhen("refund_requests_answered_check", sql`${t.answer} is null`, sql`${t.answeredAt} is null`),
    uniqueIndex("refund_requests_sale_key").on(t.saleId, t.kind),
    index("refund_requests_seller_idx").on(t.sellerId, t.createdAt.desc(), t.id.desc()),
    index("refund_requests_waiting_idx")
      .on(t.sellerId, t.createdAt)
      .where(sql`kind = 'question' and answer is null`),
    // Those that did not work and are not tried again.
    index("refund_requests_failed_idx")
      .on(t.sellerId, t.failedAt)
      .where(sql`failed_at is not null and next_try_at is null`)
      .concurrently(),
    index("refund_requests_next_try_idx").on(t.nextTryAt).where(sql`next_try_at is not null`),
  ],
);
