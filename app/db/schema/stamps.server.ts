import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { exactlyWhen, oneOf } from "#app/db/checks.server.ts";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { STAMP_FAILURES } from "#app/kit/files/stamps.ts";

/**
 * A PDF that is stamped for the buyer of a sale, or was; without a sale it is tried once, for the seller to know whether it
 * can be.
 */
export const stamps = pgTable(
  "stamps",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    saleId: uuid().references(() => sales.id, { onDelete: "cascade" }),
    /** Of the words that are stamped: with another name or e-mail it is another copy. */
    wordsKey: text(),
    /** When it is to be done; null once it is. */
    dueAt: moment(),
    /** How often that was begun. */
    tries: integer().notNull().default(0),
    failure: text({ enum: STAMP_FAILURES }),
    /** How long it took, in milliseconds, once it was made or tried without a failure. */
    tookMs: integer(),
    /** The stamped file; kept while buyers ask for it. */
    copyId: uuid().references(() => files.id),
    createdAt: createdAt(),
    /** When it was last asked for. */
    askedAt: createdAt(),
  },
  (t) => [
    oneOf("stamps_failure_check", t.failure, STAMP_FAILURES),
    exactlyWhen("stamps_words_check", sql`${t.saleId} is not null`, sql`${t.wordsKey} is not null`),
    uniqueIndex("stamps_sale_key").on(t.saleId, t.fileId, t.wordsKey).where(sql`sale_id is not null`),
    uniqueIndex("stamps_trial_key").on(t.fileId).where(sql`sale_id is null`),
    index("stamps_file_idx").on(t.fileId),
    index("stamps_seller_idx").on(t.sellerId),
    index("stamps_due_idx").on(t.dueAt).where(sql`due_at is not null`),
    index("stamps_asked_idx").on(t.askedAt),
    index("stamps_copy_idx").on(t.copyId).where(sql`copy_id is not null`),
  ],
);
