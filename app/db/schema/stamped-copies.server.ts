import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { STAMP_FAILURES } from "#app/kit/files/stamp-limits.ts";

/**
 * A PDF to be stamped for the buyer of a sale, or stamped already; without a sale it is a trial, which shows the seller
 * whether the PDF can be stamped.
 */
export const stampedCopies = pgTable(
  "stamped_copies",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    /** A hash of the stamped text: another name or e-mail makes another copy. */
    textKey: text(),
    /** When it is to be stamped; null once it is. */
    scheduledAt: moment(),
    /** How often stamping was started. */
    attempts: integer().notNull().default(0),
    failure: text({ enum: STAMP_FAILURES }),
    /** How long it took, in milliseconds, once it succeeded. */
    durationMs: integer(),
    /** The stamped file; stored while buyers request it. */
    copyId: uuid().references(() => files.id),
    createdAt: momentOfInsert(),
    /** When it was last requested. */
    requestedAt: momentOfInsert(),
  },
  (t) => [
    oneOf("stamped_copies_failure_check", t.failure, STAMP_FAILURES),
    ifAndOnlyIf("stamped_copies_text_check", sql`${t.saleId} is not null`, sql`${t.textKey} is not null`),
    uniqueIndex("stamped_copies_sale_key").on(t.saleId, t.fileId, t.textKey).where(sql`sale_id is not null`),
    uniqueIndex("stamped_copies_trial_key").on(t.fileId).where(sql`sale_id is null`),
    index("stamped_copies_file_idx").on(t.fileId),
    index("stamped_copies_seller_idx").on(t.sellerId),
    index("stamped_copies_scheduled_idx").on(t.scheduledAt).where(sql`scheduled_at is not null`),
    index("stamped_copies_requested_idx").on(t.requestedAt),
    index("stamped_copies_copy_idx").on(t.copyId).where(sql`copy_id is not null`),
  ],
);
