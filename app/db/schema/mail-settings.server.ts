import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** A purchase mail written without HTML. `text` is plain: an empty line ends a paragraph. `button` is its label. */
export type SimpleTemplate = { title: string; text: string; button: string };

/** A DNS record as Resend returned it. */
export type DomainRecord = {
  record: string;
  name: string;
  type: string;
  value: string;
  ttl: string;
  status: string;
  priority?: number;
};

/** When the buyer of an unpaid order is reminded, in minutes after the PIX was created, where the seller chose nothing. */
export const DEFAULT_REMINDER_TIMES = [15, 120, 1440];

/** `manual`: entered by hand, without Resend. The rest are Resend's statuses. */
export const DOMAIN_STATUSES = [
  "manual",
  "not_started",
  "pending",
  "verified",
  "partially_verified",
  "partially_failed",
  "failed",
] as const;

const ownerKey = () =>
  uuid()
    .primaryKey()
    .references(() => sellers.id, { onDelete: "cascade" });

/** A seller's mail settings. No row means the defaults. */
export const mailSettings = pgTable("mail_settings", {
  sellerId: ownerKey(),
  resendKeySealed: text(),
  /** Minutes after the PIX was created at which its buyer is reminded; empty where switched off. */
  reminderMinutes: integer()
    .array()
    .notNull()
    .default(sql.raw(`'{${DEFAULT_REMINDER_TIMES.join(",")}}'`)),
  updatedAt: momentOfInsert(),
});

/** A seller's own purchase mail. */
export const emailTemplates = pgTable("email_templates", {
  sellerId: ownerKey(),
  id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
  senderName: text().notNull(),
  senderEmail: text().notNull(),
  subject: text().notNull(),
  htmlContent: text().notNull(),
  /** What `html_content` was made from; null where the HTML itself was written. */
  simple: jsonb().$type<SimpleTemplate>(),
  updatedAt: momentOfInsert(),
});

/** In a query on `sellers`: where answers to mails in a seller's name go. The same as `chooseSender` decides. */
export const replyAddressSql = sql<string>`coalesce(
  (select nullif(t.sender_email, '') from email_templates t where t.seller_id = sellers.id), sellers.email)`;

/** The domain a seller's mails come from. */
export const emailDomains = pgTable("email_domains", {
  sellerId: ownerKey(),
  domainName: text().notNull(),
  status: text({ enum: DOMAIN_STATUSES }).notNull().default("manual"),
  verifiedAt: moment(),
  /** Its id at Resend; null where it was entered by hand. */
  providerId: text(),
  records: jsonb().$type<DomainRecord[]>().notNull().default([]),
  spfRecord: text().notNull().default(""),
  dkimRecord: text().notNull().default(""),
  dmarcRecord: text().notNull().default(""),
  /** Since when Resend is checking the records. */
  verifyingSince: moment(),
  checkedAt: moment(),
  updatedAt: momentOfInsert(),
});

/** The address of Resend's webhooks: one per seller, and the platform's own (no seller). */
export const mailHooks = pgTable(
  "mail_hooks",
  {
    id: uuidKey(),
    sellerId: uuid().references(() => sellers.id, { onDelete: "cascade" }),
    /** Unguessable part of the address. */
    hookToken: text().notNull(),
    /** SHA-256 of the API key it was registered with: a new key registers again. */
    keyHash: text(),
    providerId: text(),
    secretSealed: text(),
    /** Why it could not be registered, as Resend reports it. */
    failure: text(),
    checkedAt: moment(),
  },
  (t) => [
    unique("mail_hooks_seller_key").on(t.sellerId).nullsNotDistinct(),
    uniqueIndex("mail_hooks_hook_token_key").on(t.hookToken),
  ],
);

/** Resend's webhooks about mails, once each. */
export const mailEvents = pgTable(
  "mail_events",
  {
    hookId: uuid()
      .notNull()
      .references(() => mailHooks.id, { onDelete: "cascade" }),
    svixId: text().notNull(),
    /** Null in webhooks of the platform's account about a mail that is no seller's. */
    sellerId: uuid().references(() => sellers.id),
    mailId: uuid().references(() => mails.id, { onDelete: "cascade" }),
    type: text().notNull(),
    receivedAt: momentOfInsert(),
  },
  (t) => [
    primaryKey({ columns: [t.hookId, t.svixId] }),
    index("mail_events_mail_idx").on(t.mailId),
    index("mail_events_received_idx").on(t.receivedAt),
  ],
);

/** Buyers who want no reminders from a seller. The address is a keyed hash. */
export const reminderOptOuts = pgTable(
  "reminder_opt_outs",
  {
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    emailHash: text().notNull(),
    at: momentOfInsert(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.emailHash] })],
);
