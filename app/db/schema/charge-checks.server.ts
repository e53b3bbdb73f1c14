import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import {
  PROVIDER_FAILURES,
  STATEMENT_KINDS,
  TRANSACTION_STATES,
  WEBHOOK_ARRIVALS,
} from "#app/db/schema/lists.ts";
import { charges, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Webhooks received from payment providers, once each. */
export const paymentWebhooks = pgTable(
  "payment_webhooks",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    provider: text().notNull(),
    chargeId: uuid().references(() => charges.id, { onDelete: "cascade" }),
    /** The seller whose address it came to. */
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    /** Provider, seller, transaction, status and end-to-end id: a repeated webhook is one row. */
    dedupeKey: text().notNull(),
    providerId: text().notNull(),
    /** The reported state by our name, and the provider's own. */
    state: text({ enum: TRANSACTION_STATES }).notNull(),
    providerStatus: text().notNull(),
    receivedAt: momentOfInsert(),
    handledAt: moment(),
  },
  (t) => [
    oneOf("payment_webhooks_state_check", t.state, TRANSACTION_STATES),
    uniqueIndex("payment_webhooks_dedupe_key").on(t.sellerId, t.dedupeKey),
    index("payment_webhooks_charge_idx").on(t.sellerId, t.chargeId),
    // Unhandled webhooks: few rows, looked up whenever a sale is shown.
    index("payment_webhooks_unhandled_idx").on(t.sellerId, t.chargeId).where(sql`handled_at is null`),
    // The same of one seller's payments.
    index("payment_webhooks_seller_idx")
      .on(t.sellerId, t.receivedAt)
      .where(sql`handled_at is null and state = 'paid'`)
      .concurrently(),
    index("payment_webhooks_received_idx").on(t.receivedAt),
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
      .notNull()
      .references(() => charges.id, { onDelete: "cascade" }),
    sellerId: uuid().notNull(),
    provider: text().notNull(),
    /** When it is checked next; also its lease. */
    scheduledAt: moment().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.chargeId] }),
    index("paced_checks_account_idx").on(t.sellerId, t.provider, t.scheduledAt),
    index("paced_checks_scheduled_idx").on(t.scheduledAt),
  ],
);

/**
 * A day of a gateway account in its provider's own statement, which is requested and then read: each row is its own place in
 * the queue. Read, the row stays: it says that a payment missing in `statement_lines` is missing at the provider.
 */
export const statements = pgTable(
  "statements",
  {
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    /** In São Paulo. */
    day: date().notNull(),
    /** The key it was read with: another one may be of another account at the provider. */
    keyId: uuid(),
    /** When it was last requested; set before the call, so that one whose answer was lost is looked for first. */
    requestedAt: moment(),
    /** The provider's id of the request. */
    taskId: text(),
    /** When it is requested or asked about next, also its lease; null once it was read or given up. */
    nextAttemptAt: moment(),
    attempts: integer().notNull().default(0),
    /** Why the last attempt failed. */
    failureKind: text({ enum: PROVIDER_FAILURES }),
    readAt: moment(),
    /** Payments in it that are no charge of ours: another system sells with the same account. */
    otherPayments: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.provider, t.day] }),
    oneOf("statements_failure_check", t.failureKind, PROVIDER_FAILURES),
    index("statements_next_attempt_idx").on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
  ],
);

/**
 * What statements say of our charges, a row for each time that money moved. The key is the movement itself, since a provider's
 * file may begin before its day and end after it: a line that is in two files is one.
 */
export const statementLines = pgTable(
  "statement_lines",
  {
    sellerId: uuid().notNull(),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id, { onDelete: "cascade" }),
    kind: text({ enum: STATEMENT_KINDS }).notNull(),
    at: moment().notNull(),
    /** Negative where it left the account. */
    amountCents: integer().notNull(),
    /** What the provider kept of it, negative where it gave a fee back; null where not stated. */
    feeCents: integer(),
    /** When the seller can use the money; null where not stated. */
    releaseAt: moment(),
    /** The provider's id of the payment, also in its refunds. */
    sourceId: text().notNull(),
    /** When a statement last said so. */
    readAt: momentOfInsert(),
  },
  (t) => [
    primaryKey({ columns: [t.sellerId, t.chargeId, t.kind, t.at, t.amountCents] }),
    oneOf("statement_lines_kind_check", t.kind, STATEMENT_KINDS),
    index("statement_lines_at_idx").on(t.sellerId, t.at),
    index("statement_lines_source_idx").on(t.sellerId, t.sourceId),
  ],
);

/**
 * Tests of the webhooks that a seller set up in a provider's panel: a small PIX that is created and cancelled, whose webhook
 * is waited for. No sale and no charge, so that it counts nowhere. See `runWebhookTest`.
 */
export const webhookTests = pgTable(
  "webhook_tests",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    /** The key that its PIX is created, and therefore cancelled, with. */
    gatewayKeyId: uuid()
      .notNull()
      .references(() => gatewayKeys.id),
    /** Our reference of the PIX. */
    reference: text().notNull(),
    startedAt: momentOfInsert(),
    /** When the PIX was requested: before the call, since its answer may be lost. */
    requestedAt: moment(),
    /** The provider's id of the PIX; null where none is known to exist. */
    providerId: text(),
    /** When the PIX was known to exist, and until when it could be paid. */
    orderedAt: moment(),
    expiresAt: moment(),
    /** Why there is no PIX, and the provider's own message. */
    failureKind: text({ enum: PROVIDER_FAILURES }),
    failureDetail: text(),
    /** The best webhook that came to the seller's address meanwhile. */
    arrival: text({ enum: WEBHOOK_ARRIVALS }),
    arrivedAt: moment(),
    /** Since when there is no PIX that could be paid: none was created, or it ended. */
    cancelledAt: moment(),
    /** The provider's message when the last attempt to cancel failed. */
    cancelFailure: text(),
    /** When it was found paid all the same. */
    paidAt: moment(),
    /** When its result was decided: the next one may start. */
    endedAt: moment(),
    /** When there is something to do, also its lease; null once nothing is. A PIX is still cancelled after the end. */
    scheduledAt: moment(),
  },
  (t) => [
    oneOf("webhook_tests_failure_kind_check", t.failureKind, PROVIDER_FAILURES),
    oneOf("webhook_tests_arrival_check", t.arrival, WEBHOOK_ARRIVALS),
    check("webhook_tests_scheduled_check", sql`${t.endedAt} is not null or ${t.scheduledAt} is not null`),
    // One at a time.
    uniqueIndex("webhook_tests_running_key").on(t.sellerId, t.provider).where(sql`ended_at is null`),
    index("webhook_tests_account_idx").on(t.sellerId, t.provider, t.startedAt),
    index("webhook_tests_scheduled_idx").on(t.scheduledAt).where(sql`scheduled_at is not null`),
    index("webhook_tests_started_idx").on(t.startedAt),
    index("webhook_tests_key_idx").on(t.gatewayKeyId),
  ],
);
