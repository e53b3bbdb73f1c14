import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
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

/** One row a mail: the queue's state and the delivery log in one. */
export const mails = pgTable(
  "mails",
  {
    id: uuidKey(),
    sellerId: uuid().references(() => sellers.id, { onDelete: "cascade" }),
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    recipient: text().notNull(),
    payload: jsonb().$type<FrozenMail>().notNull(),
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
    providerId: text(),
    createdAt: createdAt(),
    /** When the attempt began of which nothing was noted yet: its worker is at it, or gone. */
    claimedAt: moment(),
    /** Since when the provider may have taken it without our hearing its answer. */
    unsureSince: moment(),
    sentAt: moment(),
    /** When its text and attachments were emptied; the row stays. */
    clearedAt: moment(),
    /** What the provider told afterwards, in whatever order it came. */
    deliveredAt: moment(),
    bouncedAt: moment(),
    complainedAt: moment(),
  },
  (t) => [
    uniqueIndex("mails_idempotency_key").on(t.idempotencyKey),
    index("mails_seller_idx").on(t.sellerId, t.createdAt),
    index("mails_unsent_idx").on(t.sellerId, t.status, t.createdAt).where(sql`status <> 'sent'`),
    index("mails_attempting_idx").on(t.createdAt).where(sql`status = 'attempting'`),
    index("mails_text_idx").on(t.createdAt).where(sql`cleared_at is null and status <> 'attempting'`),
    index("mails_sale_idx").on(t.saleId, t.createdAt),
    index("mails_unpaid_idx").on(t.recipient, t.createdAt).where(sql`kind in ('pix', 'reminder')`),
    index("mails_provider_id_idx").on(t.providerId),
  ],
);
