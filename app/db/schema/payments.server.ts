import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { exactlyWhen, oneOf } from "#app/db/checks.server.ts";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import {
  CAUSES,
  CHARGE_FACTS,
  CHARGE_STATUSES,
  PROVIDER_FAILURES,
  REFUND_ORIGINS,
  REFUND_STATUSES,
} from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

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
    /** Since when the provider refuses every key that a charge could be checked with; null while it takes one. */
    keyRefusedAt: moment(),
    /** The key meant for browsers, where the provider has one. */
    publicKeySealed: text(),
    webhookSecretSealed: text(),
    /** Unguessable part of the webhook address: tells the seller. */
    hookToken: text().notNull(),
    updatedAt: createdAt(),
    /** When the next of its `paced_checks` may be made; also the lease of whoever makes one. */
    nextPacedCheckAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.provider] }),
    uniqueIndex("gateway_accounts_hook_token_key").on(t.hookToken),
    index("gateway_accounts_key_idx").on(t.keyId),
    index("gateway_accounts_next_paced_check_idx").on(t.nextPacedCheckAt).concurrently(),
  ],
);

/** One PIX: an attempt to be paid for a sale. */
export const charges = pgTable(
  "charges",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
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
    /** What was asked for. */
    amountCents: integer().notNull(),
    /** What came in; null where nothing did. */
    paidCents: integer(),
    /** What the provider kept of it; null where untold. */
    feeCents: integer(),
    pixCode: text(),
    expiresAt: moment(),
    /** While the code is being made: when its maker is taken for dead unless it says otherwise. */
    creatingUntil: moment(),
    /** Why no code was made, and the provider's own words for the seller. */
    failureKind: text({ enum: PROVIDER_FAILURES }),
    failureDetail: text(),
    createdAt: createdAt(),
    paidAt: moment(),
    /** Paid although its sale had been paid already: to be given back. */
    surplusAt: moment(),
    /** The gate: when the last question about it left at the latest. In the future while a question is under way. */
    lastCheckedAt: moment(),
    /**
     * When we ask next; null when nothing is left to ask. Whoever has taken it to ask moves it on by a lease, and whoever
     * sets it anew sets it only where it is as they saw it: news that came meanwhile are not forgotten.
     */
    nextCheckAt: moment(),
    /** The id of the request that wants the next look, where one does. */
    askedBy: text(),
    checks: integer().notNull().default(0),
  },
  (t) => [
    oneOf("charges_status_check", t.status, CHARGE_STATUSES),
    check("charges_amount_check", sql`${t.amountCents} > 0 and ${t.paidCents} > 0`),
    exactlyWhen(
      "charges_paid_check",
      sql`${t.status} in ('paid', 'mispaid')`,
      sql`${t.paidAt} is not null and ${t.paidCents} is not null`,
    ),
    check("charges_paid_amount_check", sql`${t.status} <> 'paid' or ${t.paidCents} = ${t.amountCents}`),
    check("charges_surplus_check", sql`${t.surplusAt} is null or ${t.status} = 'paid'`),
    exactlyWhen("charges_failure_check", sql`${t.status} = 'failed'`, sql`${t.failureKind} is not null`),
    index("charges_sale_idx").on(t.saleId, t.createdAt),
    uniqueIndex("charges_reference_key").on(t.reference),
    uniqueIndex("charges_provider_id_key").on(t.provider, t.providerId),
    // The one payment that counts for a sale.
    uniqueIndex("charges_counting_key").on(t.saleId).where(sql`status = 'paid' and surplus_at is null`),
    // Money that may have to be given back by hand.
    index("charges_extra_idx").on(t.paidAt).where(sql`surplus_at is not null or status = 'mispaid'`),
    index("charges_gateway_key_idx").on(t.gatewayKeyId, t.createdAt),
    index("charges_next_check_idx").on(t.nextCheckAt).where(sql`next_check_at is not null`),
    index("charges_creating_idx").on(t.createdAt).where(sql`status = 'creating'`),
  ],
);

/**
 * Charges that are checked at the pace of their gateway account, a row each: paid ones, since money may go back without a
 * webhook, and those that an imported statement names. The row goes when nothing is left to find, so the table holds the
 * payments of 90 days, however old the shop.
 */
export const pacedChecks = pgTable(
  "paced_checks",
  {
    chargeId: uuid()
      .primaryKey()
      .references(() => charges.id, { onDelete: "cascade" }),
    sellerId: uuid().notNull(),
    provider: text().notNull(),
    /** When it is checked next; also its lease. */
    dueAt: moment().notNull(),
  },
  (t) => [
    index("paced_checks_account_idx").on(t.sellerId, t.provider, t.dueAt),
    index("paced_checks_due_idx").on(t.dueAt),
  ],
);

/** What is known of a charge, each fact once, in the order it was learned. What each kind holds: domain/sale/facts.ts. */
export const chargeEvents = pgTable(
  "charge_events",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id, { onDelete: "cascade" }),
    kind: text({ enum: CHARGE_FACTS }).notNull(),
    data: jsonb().notNull().default({}),
    cause: text({ enum: CAUSES }).notNull(),
    at: createdAt(),
  },
  (t) => [
    index("charge_events_charge_idx").on(t.chargeId, t.id),
    oneOf("charge_events_kind_check", t.kind, CHARGE_FACTS),
    oneOf("charge_events_cause_check", t.cause, CAUSES),
  ],
);

/** Money of a charge that went back, or was asked to. */
export const refunds = pgTable(
  "refunds",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id, { onDelete: "cascade" }),
    amountCents: integer().notNull(),
    status: text({ enum: REFUND_STATUSES }).notNull(),
    origin: text({ enum: REFUND_ORIGINS }).notNull(),
    /** The provider's id of the refund, where it gives one. */
    providerId: text(),
    requestedAt: createdAt(),
    /** When the provider said it would; null while its answer is missing. */
    acceptedAt: moment(),
    /** When it was done, refused or given up; and since when its seller does without it. */
    endedAt: moment(),
    dismissedAt: moment(),
    failureKind: text({ enum: PROVIDER_FAILURES }),
    failureDetail: text(),
  },
  (t) => [
    oneOf("refunds_status_check", t.status, REFUND_STATUSES),
    oneOf("refunds_origin_check", t.origin, REFUND_ORIGINS),
    check("refunds_amount_check", sql`${t.amountCents} > 0`),
    exactlyWhen("refunds_ended_check", sql`${t.status} = 'pending'`, sql`${t.endedAt} is null`),
    index("refunds_charge_idx").on(t.chargeId, t.requestedAt),
    // One at a time: any number of presses at once is one request.
    uniqueIndex("refunds_pending_key").on(t.chargeId).where(sql`status = 'pending'`),
    index("refunds_unconfirmed_idx").on(t.endedAt).where(sql`status = 'unconfirmed'`),
    index("refunds_pending_idx").on(t.requestedAt).where(sql`status = 'pending'`),
  ],
);
