import { sql } from "drizzle-orm";
import { bigint, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#app/db/checks.server.ts";
import { createdAt, moment } from "#app/db/columns.server.ts";
import { TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
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
    receivedAt: createdAt(),
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
