import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "#app/db/columns.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";

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
