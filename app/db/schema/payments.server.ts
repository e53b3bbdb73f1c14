import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** `creating` until the provider answered; `open` is payable; the rest are ends, of which only `paid` is final. */
export const CHARGE_STATUSES = ["creating", "open", "paid", "failed", "expired", "cancelled"] as const;

/** Every API key a seller ever took payments with: a charge is asked about and refunded with the one it was made with. */
export const gatewayKeys = pgTable(
  "gateway_keys",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    /** Null once no charge can need it any more. */
    apiKeySealed: text(),
    createdAt: createdAt(),
  },
  (t) => [index("gateway_keys_seller_idx").on(t.sellerId, t.provider)],
);

/** A seller's account at a payment provider. */
export const gatewayAccounts = pgTable(
  "gateway_accounts",
  {
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    enabledAt: moment(),
    /** The key that new charges are made with; null where the seller gave none or took it away. */
    keyId: uuid().references(() => gatewayKeys.id),
    /** The key meant for browsers, where the provider has one. */
    publicKeySealed: text(),
    webhookSecretSealed: text(),
    /** Unguessable part of the webhook address: tells the seller. */
    hookToken: text().notNull(),
    /** What the provider keeps of each payment, in cents; null where the provider tells it itself. */
    feeCents: integer(),
    updatedAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.provider] }),
    uniqueIndex("gateway_accounts_hook_token_key").on(t.hookToken),
    index("gateway_accounts_key_idx").on(t.keyId),
  ],
);

/** One PIX: an attempt to be paid for a sale. */
export const charges = pgTable(
  "charges",
  {
    id: uuidKey(),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    /** Null in charges older than the keeping of keys. */
    gatewayKeyId: uuid().references(() => gatewayKeys.id),
    /** Ours, random, in the webhook address: finds the charge even where the provider's answer never came. */
    reference: text().notNull(),
    /** The provider's id, lowercase. */
    providerId: text(),
    status: text({ enum: CHARGE_STATUSES }).notNull().default("creating"),
    amountCents: integer().notNull(),
    feeCents: integer(),
    pixCode: text(),
    expiresAt: moment(),
    /** Why it failed: for the log and the seller. */
    failure: text(),
    endToEndId: text(),
    payerName: text(),
    createdAt: createdAt(),
    paidAt: moment(),
    /** Paid although its sale had been paid already: to be refunded by the seller. */
    surplusAt: moment(),
    /**
     * `pending` from before the provider is asked until it confirms; `refused` may be tried again; so may `unconfirmed`,
     * which we stopped waiting for, but only after another question: it may have been done.
     */
    refundStatus: text({ enum: ["pending", "refused", "unconfirmed", "done"] }),
    refundRequestedAt: moment(),
    /** The provider said it would; null while its answer is missing. */
    refundAcceptedAt: moment(),
    refundFailure: text(),
    refundedAt: moment(),
    /** The gate: when the provider was last asked. */
    lastCheckedAt: moment(),
    /** When the sweeper asks next; null when nothing is left to ask. */
    nextCheckAt: moment(),
    checks: integer().notNull().default(0),
  },
  (t) => [
    index("charges_sale_idx").on(t.saleId, t.createdAt),
    uniqueIndex("charges_reference_key").on(t.reference),
    uniqueIndex("charges_provider_id_key").on(t.provider, t.providerId),
    index("charges_gateway_key_idx").on(t.gatewayKeyId, t.createdAt),
    index("charges_next_check_idx").on(t.nextCheckAt).where(sql`next_check_at is not null`),
    index("charges_refund_pending_idx").on(t.refundRequestedAt).where(sql`refund_status = 'pending'`),
    index("charges_creating_idx").on(t.createdAt).where(sql`status = 'creating'`),
  ],
);

/** The inbox: what a provider told us, once each. */
export const paymentWebhooks = pgTable(
  "payment_webhooks",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    provider: text().notNull(),
    chargeId: uuid().references(() => charges.id, { onDelete: "cascade" }),
    /** Provider, transaction, status and end-to-end id: the same news twice is one row. */
    dedupeKey: text().notNull(),
    providerId: text().notNull(),
    status: text().notNull(),
    receivedAt: createdAt(),
    handledAt: moment(),
    outcome: text(),
  },
  (t) => [
    uniqueIndex("payment_webhooks_dedupe_key").on(t.dedupeKey),
    index("payment_webhooks_charge_idx").on(t.chargeId),
    index("payment_webhooks_received_idx").on(t.receivedAt),
  ],
);
