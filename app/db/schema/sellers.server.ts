import { sql } from "drizzle-orm";
import { boolean, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";

export const sellers = pgTable(
  "sellers",
  {
    id: uuidKey(),
    /** Lowercase and trimmed. */
    email: text().notNull(),
    emailVerifiedAt: moment(),
    name: text().notNull(),
    company: text(),
    phone: text(),
    pictureUrl: text(),
    /** argon2id; null where only the identity provider signs in. */
    passwordHash: text(),
    /** The identity provider's stable key (`sub`). */
    oauthSubject: text(),
    notifyNewSale: boolean().notNull().default(true),
    notifyFailedPayment: boolean().notNull().default(true),
    notifyWeeklyReport: boolean().notNull().default(true),
    notifyMonthlyReport: boolean().notNull().default(true),
    /** Whether buyers lose access while their payment is disputed. */
    suspendsDisputed: boolean().notNull().default(false),
    /** Whether overpayments are refunded automatically, whatever caused them. */
    refundsOverpayments: boolean().notNull().default(false),
    /** When they first opened a checkout of theirs, before any sale: recorded nowhere else. */
    checkoutSeenAt: moment(),
    createdAt: momentOfInsert(),
    /** When they closed the account; null again where they reopened it. Also when one that was never confirmed was anonymized. */
    closedAt: moment(),
    /** When the account and shop were anonymized; the books stay. */
    anonymizedAt: moment(),
  },
  (t) => [
    index("sellers_closed_idx")
      .on(t.closedAt)
      .where(sql`closed_at is not null and anonymized_at is null`)
      .concurrently(),
    // Accounts to be anonymized, since nobody confirmed their address.
    index("sellers_unconfirmed_idx")
      .on(t.createdAt)
      .where(sql`email_verified_at is null and closed_at is null and anonymized_at is null`)
      .concurrently(),
    uniqueIndex("sellers_email_key").on(t.email),
    uniqueIndex("sellers_oauth_subject_key").on(t.oauthSubject),
  ],
);

/** The name that buyers read: the company's, else the seller's own. */
export const sellerNameSql = sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`;

export const sessions = pgTable(
  "sessions",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    /** SHA-256 of the cookie's token. */
    tokenHash: text().notNull(),
    ip: text(),
    userAgent: text(),
    createdAt: momentOfInsert(),
    /** Up to ten minutes earlier than the last use. */
    lastUsedAt: momentOfInsert(),
    /** When its owner last entered a password or signed in by the identity provider. */
    authenticatedAt: momentOfInsert(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    uniqueIndex("sessions_token_hash_key").on(t.tokenHash),
    index("sessions_seller_idx").on(t.sellerId, t.lastUsedAt),
    index("sessions_expires_idx").on(t.expiresAt),
  ],
);

/** Single-use links sent by mail. */
export const emailTokens = pgTable(
  "email_tokens",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    purpose: text({ enum: ["confirm", "reset"] }).notNull(),
    /** The address it was sent to: for `confirm` the one that becomes valid once used. */
    email: text().notNull(),
    tokenHash: text().notNull(),
    createdAt: momentOfInsert(),
    expiresAt: moment().notNull(),
    /** When it was used, or made void by what replaced it. */
    usedAt: moment(),
  },
  (t) => [
    uniqueIndex("email_tokens_hash_key").on(t.tokenHash),
    index("email_tokens_seller_idx").on(t.sellerId, t.purpose),
    index("email_tokens_expires_idx").on(t.expiresAt),
  ],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    name: text().notNull(),
    keyHash: text().notNull(),
    /** Its first characters, so that the seller can tell keys apart. */
    preview: text().notNull(),
    /** What it may do. A key from before there were scopes may do what it always could. */
    scopes: text({ enum: ["read", "sales", "settings", "webhooks"] })
      .array()
      .notNull()
      .default(["read", "sales", "settings"]),
    createdAt: momentOfInsert(),
    /** Up to ten minutes earlier than the last use. */
    lastUsedAt: moment(),
    revokedAt: moment(),
  },
  (t) => [
    uniqueIndex("api_keys_hash_key").on(t.keyHash),
    index("api_keys_seller_idx").on(t.sellerId, t.createdAt),
  ],
);

/** Held and interrupted forms, until their seller has signed in again; found only with a token in a cookie of the browser that posted them. */
export const heldForms = pgTable(
  "held_forms",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    /** SHA-256 of the cookie's token. */
    tokenHash: text().notNull(),
    /** Which of the `GUARDED_CHANGES` it makes; `session` or `session-without-files` of an interrupted form. */
    change: text().notNull(),
    /** The page it was posted to, with its query. */
    address: text().notNull(),
    /** Its fields in their order, as JSON, encrypted: there are secrets among them. */
    fieldsSealed: text().notNull(),
    createdAt: momentOfInsert(),
    expiresAt: moment().notNull(),
    /** When its seller resumed it: it is not shown again. */
    resumedAt: moment(),
  },
  (t) => [
    uniqueIndex("held_forms_token_hash_key").on(t.tokenHash),
    index("held_forms_seller_idx").on(t.sellerId, t.createdAt),
    index("held_forms_expires_idx").on(t.expiresAt),
  ],
);
