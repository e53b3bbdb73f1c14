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
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import {
  CAUSES,
  CHARGE_EVENTS,
  CHARGE_METHODS,
  CHARGE_STATUSES,
  DECLINE_REASONS,
  PROVIDER_FAILURES,
  REFUND_ORIGINS,
  REFUND_STATUSES,
} from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Every API key a seller has used: a charge is checked and refunded with the key it was created with. */
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
    /** When its provider was found to accept it, at first or after a refusal; null while only a charge of it could tell. */
    acceptedAt: moment(),
    createdAt: momentOfInsert(),
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
    /** Since when it takes PIX. */
    enabledAt: moment(),
    /** Since when it takes cards, where the provider can. */
    cardsEnabledAt: moment(),
    /** New codes are requested from the enabled account with the lowest one first; equal ones in the order of `providers`. */
    position: integer().notNull().default(0),
    /** The key for new charges; null where the seller gave none or removed it. */
    keyId: uuid().references(() => gatewayKeys.id),
    /** When its key was found to be refused, for the first time since it was accepted. Whether it is so now: `isKeyRefusedSql`. */
    keyRefusedAt: moment(),
    /** When it is tested next, while another account is tried before it: see `testSpares`. */
    nextSpareTestAt: moment(),
    /** What the provider said when the last test failed; null where it passed, and while it is no spare. */
    spareFailure: text(),
    /** The key meant for browsers, where the provider has one. */
    publicKeySealed: text(),
    webhookSecretSealed: text(),
    /** Unguessable part of the webhook address; identifies the seller. */
    hookToken: text().notNull(),
    updatedAt: momentOfInsert(),
    /** When the next of its `paced_checks` may be made; also the lease of the worker that makes one. */
    nextPacedCheckAt: momentOfInsert(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.provider] }),
    uniqueIndex("gateway_accounts_hook_token_key").on(t.hookToken),
    index("gateway_accounts_key_idx").on(t.keyId),
    index("gateway_accounts_next_paced_check_idx").on(t.nextPacedCheckAt).concurrently(),
    index("gateway_accounts_next_spare_test_idx")
      .on(t.nextSpareTestAt)
      .where(sql`next_spare_test_at is not null`),
  ],
);

/** One PIX, or one attempt with a card: an attempt to be paid for a sale. */
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
    method: text({ enum: CHARGE_METHODS }).notNull().default("pix"),
    /** Null in charges from before keys were stored. */
    gatewayKeyId: uuid().references(() => gatewayKeys.id),
    /** Our random reference in the webhook address: finds the charge even if the provider's answer was lost. */
    reference: text().notNull(),
    /** The provider's id, lowercase. */
    providerId: text(),
    status: text({ enum: CHARGE_STATUSES }).notNull().default("creating"),
    /** The amount requested. */
    amountCents: integer().notNull(),
    /** The amount received; null where nothing was. */
    paidCents: integer(),
    /** The provider's fee; null where unknown. */
    feeCents: integer(),
    pixCode: text(),
    expiresAt: moment(),
    /** Of a card: in how many instalments. */
    instalments: integer(),
    /** What the buyer of a paid card charge pays in all: with interest more than the amount, and the provider's. */
    buyerCents: integer(),
    declineReason: text({ enum: DECLINE_REASONS }),
    /** While the code is being created: its lease. */
    creatingUntil: moment(),
    /** Why no code was created, and the provider's own message for the seller. */
    failureKind: text({ enum: PROVIDER_FAILURES }),
    failureDetail: text(),
    createdAt: momentOfInsert(),
    paidAt: moment(),
    /** Set on an overpayment: its sale was paid already, so it is to be refunded. */
    overpaidAt: moment(),
    /** When the last check was sent at the latest. In the future while a check is in flight. */
    lastCheckedAt: moment(),
    /**
     * When the charge is checked next; null when there is nothing left to check. Also its lease. Compare and set, so that a
     * webhook that reschedules it meanwhile survives.
     */
    nextCheckAt: moment(),
    /** The id of the HTTP request that scheduled the next check, if any. */
    requestedBy: text(),
    checks: integer().notNull().default(0),
  },
  (t) => [
    oneOf("charges_status_check", t.status, CHARGE_STATUSES),
    check("charges_amount_check", sql`${t.amountCents} > 0 and ${t.paidCents} > 0`),
    ifAndOnlyIf(
      "charges_paid_check",
      sql`${t.status} in ('paid', 'mispaid')`,
      sql`${t.paidAt} is not null and ${t.paidCents} is not null`,
    ),
    check("charges_paid_amount_check", sql`${t.status} <> 'paid' or ${t.paidCents} = ${t.amountCents}`),
    check("charges_overpaid_check", sql`${t.overpaidAt} is null or ${t.status} = 'paid'`),
    oneOf("charges_method_check", t.method, CHARGE_METHODS),
    ifAndOnlyIf("charges_instalments_check", sql`${t.method} = 'card'`, sql`${t.instalments} is not null`),
    ifAndOnlyIf("charges_declined_check", sql`${t.status} = 'declined'`, sql`${t.declineReason} is not null`),
    check(
      "charges_card_status_check",
      sql`${t.status} not in ('unknown', 'in_review', 'declined') or ${t.method} = 'card'`,
    ),
    ifAndOnlyIf("charges_failure_check", sql`${t.status} = 'failed'`, sql`${t.failureKind} is not null`),
    index("charges_sale_idx").on(t.sellerId, t.saleId, t.createdAt),
    uniqueIndex("charges_reference_key").on(t.reference),
    uniqueIndex("charges_provider_id_key").on(t.provider, t.providerId),
    // The one payment that counts for a sale.
    uniqueIndex("charges_counting_key")
      .on(t.sellerId, t.saleId)
      .where(sql`status = 'paid' and overpaid_at is null`),
    // A seller's payments by day: the reconciliation.
    index("charges_seller_paid_idx").on(t.sellerId, t.paidAt).where(sql`paid_at is not null`),
    // Money that the seller may have to refund by hand.
    index("charges_extra_idx").on(t.paidAt).where(sql`overpaid_at is not null or status = 'mispaid'`),
    index("charges_gateway_key_idx").on(t.gatewayKeyId, t.createdAt),
    index("charges_next_check_idx").on(t.nextCheckAt).where(sql`next_check_at is not null`),
    index("charges_creating_idx").on(t.createdAt).where(sql`status = 'creating'`),
    // Codes that are checked no more and whose end nobody reported.
    index("charges_unchecked_idx").on(t.expiresAt).where(sql`status = 'open' and next_check_at is null`),
    index("charges_unknown_idx").on(t.createdAt).where(sql`status = 'unknown'`),
    // A seller's cards that are not decided.
    index("charges_undecided_idx").on(t.sellerId, t.createdAt).where(sql`status in ('unknown', 'in_review')`),
  ],
);

/** A charge's events, each once, in the order they were learned. The data of each kind: domain/sale/events.ts. */
export const chargeEvents = pgTable(
  "charge_events",
  {
    id: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id, { onDelete: "cascade" }),
    kind: text({ enum: CHARGE_EVENTS }).notNull(),
    data: jsonb().notNull().default({}),
    cause: text({ enum: CAUSES }).notNull(),
    at: momentOfInsert(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.chargeId, t.id] }),
    oneOf("charge_events_kind_check", t.kind, CHARGE_EVENTS),
    oneOf("charge_events_cause_check", t.cause, CAUSES),
  ],
);

/** Refunds of a charge, done or requested. */
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
    requestedAt: momentOfInsert(),
    /** Of an automatic one that is not sent yet: not before this time. */
    sendAt: moment(),
    /** When the provider accepted it; null while its answer is missing. */
    acceptedAt: moment(),
    /** When it was done, refused or given up; from then on it is missing from the seller's net. */
    endedAt: moment(),
    dismissedAt: moment(),
    failureKind: text({ enum: PROVIDER_FAILURES }),
    failureDetail: text(),
  },
  (t) => [
    oneOf("refunds_status_check", t.status, REFUND_STATUSES),
    oneOf("refunds_origin_check", t.origin, REFUND_ORIGINS),
    check("refunds_amount_check", sql`${t.amountCents} > 0`),
    check("refunds_send_check", sql`${t.sendAt} is null or ${t.origin} = 'automatic'`),
    ifAndOnlyIf("refunds_ended_check", sql`${t.status} = 'pending'`, sql`${t.endedAt} is null`),
    index("refunds_charge_idx").on(t.sellerId, t.chargeId, t.requestedAt),
    // One pending refund per charge: repeated clicks are one request.
    uniqueIndex("refunds_pending_key").on(t.sellerId, t.chargeId).where(sql`status = 'pending'`),
    index("refunds_unconfirmed_idx").on(t.endedAt).where(sql`status = 'unconfirmed'`),
    index("refunds_pending_idx").on(t.requestedAt).where(sql`status = 'pending'`),
    index("refunds_send_idx").on(t.sendAt).where(sql`send_at is not null`),
  ],
);
