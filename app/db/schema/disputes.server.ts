import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { DISPUTE_ORIGINS, DISPUTE_STATUSES, EVIDENCE_STATUSES } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** A payment contested by the payer's bank: a PIX by MED, a card by chargeback. */
export const disputes = pgTable(
  "disputes",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id, { onDelete: "cascade" }),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    /** The payment; null where the sale was booked without a charge of ours. */
    chargeId: uuid().references(() => charges.id, { onDelete: "cascade" }),
    /** The amount contested: what had not been refunded when it was opened. */
    amountCents: integer().notNull(),
    status: text({ enum: DISPUTE_STATUSES }).notNull().default("open"),
    origin: text({ enum: DISPUTE_ORIGINS }).notNull(),
    /** In the seller's words; null where they wrote none. */
    note: text(),
    /** The provider's id of it; null where the provider states none. */
    providerId: text(),
    /** Null where the provider does not say. */
    evidenceStatus: text({ enum: EVIDENCE_STATUSES }),
    /** Until when the provider accepts evidence. */
    evidenceDueAt: moment(),
    /**
     * When we sent it: set before the call, so that repeated clicks send it once. While the provider still needs it, the
     * answer was lost.
     */
    evidenceSentAt: moment(),
    /** When we learned of it. */
    openedAt: momentOfInsert(),
    decidedAt: moment(),
  },
  (t) => [
    oneOf("disputes_status_check", t.status, DISPUTE_STATUSES),
    oneOf("disputes_origin_check", t.origin, DISPUTE_ORIGINS),
    oneOf("disputes_evidence_status_check", t.evidenceStatus, EVIDENCE_STATUSES),
    check("disputes_amount_check", sql`${t.amountCents} > 0`),
    ifAndOnlyIf("disputes_decided_check", sql`${t.status} = 'open'`, sql`${t.decidedAt} is null`),
    index("disputes_sale_idx").on(t.sellerId, t.saleId, t.openedAt),
    // One open dispute per sale, however often it is reported.
    uniqueIndex("disputes_open_key").on(t.sellerId, t.saleId).where(sql`status = 'open'`),
    index("disputes_waiting_idx").on(t.sellerId, t.openedAt).where(sql`status = 'open'`),
  ],
);
