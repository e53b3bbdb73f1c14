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
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** A mail as it goes over the wire, frozen before the first attempt so that every attempt is the same. */
export type FrozenMail = {
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  replyTo?: string;
  headers?: Record<string, string>;
  /** `content` in base64; `contentId` is what `cid:` in the HTML names. */
  attachments?: { filename: string; content: string; contentType: string; contentId: string }[];
};

/**
 * What a mail about a sale must know beside the sale itself. It is kept with the row, and the mail is drawn from it where
 * it is sent: nothing a seller or a buyer typed is read where money is booked. Moments are ISO text, money is cents.
 */
export type MailFacts = {
  purchase: { paidAt: string };
  upsell: { paidAt: string };
  access: { paidAt: string };
  "new-sale": { paidAt: string };
  pix: WaitingPix;
  reminder: WaitingPix & { number: number };
  /** `isRecorded`: nobody but the seller says that it went back; missing in older rows. */
  refund: { isRecorded?: boolean };
  "payment-news": PaymentNews;
  surplus: { amountCents: number };
  "failed-payment": { why: ProviderFailure | "cancelled"; detail: string };
  "wrong-amount": { amountCents: number };
  "unconfirmed-refund": { amountCents: number; requestedAt: string };
  dispute: { what: "opened" | "won" | "lost"; amountCents: number; suspends: boolean };
  "dispute-access": { what: "opened" | "won" | "lost"; amountCents: number };
};

/**
 * What a buyer hears of money that changes nothing of their purchase: a payment in double or of another amount came, some
 * of it went back, or a part of what counts. `at`: when.
 */
export type PaymentNews = { amountCents: number; at: string } & (
  | { what: "overpaid" | "mismatched" }
  | { what: "returned"; isMismatch: boolean; paidAt: string; leftCents: number; isRecorded: boolean }
  | { what: "part-returned"; isRecorded: boolean }
);

/** A PIX that waits to be paid, as its mail shows it. `notice` is what the provider obliges the seller to say. */
export type WaitingPix = { pixCode: string; expiresAt: string | null; notice: string | null };

/** A mail drawn where it is sent. */
export type DrawnKind = keyof MailFacts;

/** A mail written where it is queued: no template is in it, and some carry a link whose secret is kept nowhere else. */
export type WrittenKind =
  | "access-links"
  | "buyer-link"
  | "confirm-email"
  | "correct-email"
  | "destination-stopped"
  | "email-change"
  | "email-corrected"
  | "erasure-asked"
  | "mail-account-refused"
  | "missing-file"
  | "monthly-report"
  | "refund-asked"
  | "refund-news"
  | "reset-password"
  | "security-notice"
  | "template-failed"
  | "unstamped-file"
  | "weekly-report";

/** Every mail there is. */
export type MailKind = DrawnKind | WrittenKind;

/** One row a mail: the queue's state and the delivery log in one. */
export const mails = pgTable(
  "mails",
  {
    id: uuidKey(),
    sellerId: uuid().references(() => sellers.id, { onDelete: "cascade" }),
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    kind: text().$type<MailKind>().notNull(),
    recipient: text().notNull(),
    /** From what it is drawn; null where it was written at once. */
    facts: jsonb().$type<MailFacts[DrawnKind]>(),
    /** As lists show it: of a mail drawn where it is sent, null until then. */
    subject: text(),
    /**
     * The whole mail, deflated and sealed: the links in it open purchases and accounts. Null until it is drawn, before the
     * first attempt, and again once it was sent.
     */
    bodySealed: text(),
    /** What versions before kept instead of `subject` and `bodySealed`. It is read while it waits, and never written. */
    payload: jsonb().$type<FrozenMail>(),
    /** `<kind>/<id>`: the same event queues one mail, and the provider sends it once. */
    idempotencyKey: text().notNull(),
    /** Through whose account it leaves: the seller's own, or the platform's. */
    via: text({ enum: ["platform", "seller"] })
      .notNull()
      .default("platform"),
    status: text({ enum: ["attempting", "sent", "failed"] })
      .notNull()
      .default("attempting"),
    attempts: integer().notNull().default(0),
    error: text(),
    /**
     * Why it failed: an `account` refused it, or tries and time ran out (`gave-up`): it may be sent again (`retry-mails`). `refused`
     * is a no to this mail, `dropped` one that we did not want to send any more. Null in rows of versions before.
     */
    failure: text({ enum: ["account", "gave-up", "refused", "dropped"] }),
    providerId: text(),
    createdAt: createdAt(),
    /**
     * While it is being attempted: when somebody may take it. Whoever has taken it moves it on by a lease, for as long as
     * they are at it; between attempts it is when the next one is due.
     */
    dueAt: moment().notNull().defaultNow(),
    /** Lower goes first: `domain/mail/queue/priorities.ts`. Rows of versions before go among the PIX codes. */
    priority: smallint().notNull().default(2),
    /** The turn that was reserved at its account; null once it was used. While it waits, the turn may go to a better one. */
    turnAt: moment(),
    /** While it waits for its turn: at which account. Null while somebody has it in hand, or has not drawn it yet. */
    account: text(),
    /** The id of the request that queued it, where one did. */
    requestId: text(),
    /** When the current attempt began; null between attempts. An old one belongs to a worker that died. */
    claimedAt: moment(),
    /** Since when the provider may have taken it without our hearing its answer. */
    unsureSince: moment(),
    sentAt: moment(),
    /** When the seller's template made no mail, so that it was drawn with ours. */
    templateFailedAt: moment(),
    /** When what was left of its text was emptied; the row stays. */
    clearedAt: moment(),
    /** What the provider told afterwards, in whatever order it came. */
    deliveredAt: moment(),
    bouncedAt: moment(),
    complainedAt: moment(),
  },
  (t) => [
    check(
      "mails_waiting_check",
      sql`status <> 'attempting' or num_nonnulls(facts, body_sealed, payload) > 0`,
    ),
    uniqueIndex("mails_idempotency_key").on(t.idempotencyKey),
    index("mails_seller_idx").on(t.sellerId, t.createdAt),
    index("mails_waiting_idx")
      .on(t.createdAt)
      .where(sql`status = 'attempting' and created_at is not null`)
      .concurrently(),
    index("mails_due_at_idx")
      .on(t.dueAt)
      .where(sql`status = 'attempting' and due_at is not null`)
      .concurrently(),
    index("mails_priority_idx")
      .on(t.priority, t.dueAt)
      .where(sql`status = 'attempting' and priority is not null`)
      .concurrently(),
    index("mails_account_idx")
      .on(t.account, t.priority, t.createdAt)
      .where(sql`status = 'attempting' and account is not null`)
      .concurrently(),
    index("mails_unsent_of_seller_idx")
      .on(t.sellerId, t.status, t.createdAt)
      .where(sql`status <> 'sent' and seller_id is not null`)
      .concurrently(),
    index("mails_text_idx").on(t.createdAt).where(sql`cleared_at is null and status <> 'attempting'`),
    index("mails_sale_idx").on(t.saleId, t.createdAt),
    // Those of no sale: what else went to an address.
    index("mails_recipient_idx").on(t.recipient).where(sql`sale_id is null`).concurrently(),
    index("mails_unpaid_idx").on(t.recipient, t.createdAt).where(sql`kind in ('pix', 'reminder')`),
    index("mails_provider_id_idx").on(t.providerId),
  ],
);

/** How fast mails leave by an account: one pace for all processes. */
export const mailPaces = pgTable("mail_paces", {
  /** A hash of its key. */
  account: text().primaryKey(),
  /** The next turn that nobody has reserved. */
  nextAt: moment().notNull(),
  apartMs: integer().notNull(),
});

/** Accounts that refuse every mail (a key, a password, a domain): a row for as long as nothing is taken. */
export const mailAccountPauses = pgTable("mail_account_pauses", {
  /** As in `mail_paces`. */
  account: text().primaryKey(),
  via: text({ enum: ["platform", "seller"] }).notNull(),
  pausedAt: moment().notNull().defaultNow(),
  /** Refused attempts, one a pause: the next pause is longer. */
  refusals: integer().notNull(),
  /** Until then nothing is sent; after it one mail tries. Moved on by a lease while it does. */
  pausedUntil: moment().notNull(),
});

/** Buyers who are to be reminded of their unpaid order: of each the next reminder alone. */
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
    /** When the order's first PIX was made. */
    since: moment().notNull(),
    /** Whoever has taken it moves it on by a lease. */
    dueAt: moment().notNull(),
    /** The id of the request that made the PIX. */
    requestId: text(),
  },
  (t) => [index("reminders_due_idx").on(t.dueAt)],
);
