import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { exactlyWhen, oneOf } from "#app/db/checks.server.ts";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";
import { CONTENT_KINDS } from "#app/db/schema/lists.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** A file a seller sent, whole or on its way. The keeper knows it by its id; its name is only ever shown. */
export const files = pgTable(
  "files",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    name: text().notNull(),
    /** Where it goes once it is whole; null once there is no such place any more. */
    contentId: uuid().references((): AnyPgColumn => contents.id, { onDelete: "set null" }),
    /** Whose place it takes there; null for a new one. */
    replacesItemId: uuid(),
    /** Bytes, as announced; all of them are there once it is ready. */
    size: bigint({ mode: "number" }).notNull(),
    received: bigint({ mode: "number" }).notNull().default(0),
    /** What its first bytes say it is; null until it is ready. */
    contentType: text(),
    /** By what the keeper knows the upload, where it needs a name of its own. */
    uploadRef: text(),
    /** What the keeper called each part it took, in order. */
    parts: jsonb().$type<string[]>().notNull().default([]),
    createdAt: createdAt(),
    /** When a part of it came last. */
    touchedAt: createdAt(),
    /** When it was whole. */
    readyAt: moment(),
    /** Made of another file for one buyer: it takes nothing of the seller's room. */
    isCopy: boolean().notNull().default(false),
    /** When its keeper did not have it any more, though it should. */
    missingAt: moment(),
    /** Which request receives its next part: one at a time, the latest. */
    lease: uuid(),
    /** Until when, unless renewed: a process that died holds it no longer. */
    leasedUntil: moment(),
  },
  (t) => [
    check("files_size_check", sql`${t.size} > 0 and ${t.received} between 0 and ${t.size}`),
    exactlyWhen("files_ready_check", sql`${t.readyAt} is not null`, sql`${t.contentType} is not null`),
    index("files_seller_idx").on(t.sellerId, t.createdAt),
    index("files_touched_idx").on(t.touchedAt),
    index("files_open_idx").on(t.sellerId).where(sql`ready_at is null`),
    index("files_content_idx").on(t.contentId).where(sql`content_id is not null`),
  ],
);

/**
 * Files whose row went before they were whole, by a trigger on `files`: half an upload of theirs may be left in the bucket,
 * and tells itself from those of others by this.
 */
export const droppedUploads = pgTable(
  "dropped_uploads",
  {
    /** The file's. */
    id: uuid().primaryKey(),
    droppedAt: createdAt(),
  },
  (t) => [index("dropped_uploads_dropped_idx").on(t.droppedAt)],
);

/**
 * What buyers of a product, a bump or an offer get. It outlives the bump or offer: those who bought it have it by
 * `line_contents` then.
 */
export const contents = pgTable(
  "contents",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    productId: bigint({ mode: "number" }).references(() => products.id, { onDelete: "set null" }),
    orderBumpId: bigint({ mode: "number" }).references(() => orderBumps.id, { onDelete: "set null" }),
    upsellOfferId: bigint({ mode: "number" }).references(() => upsellOffers.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (t) => [
    check(
      "contents_owner_check",
      sql`num_nonnulls(${t.productId}, ${t.orderBumpId}, ${t.upsellOfferId}) <= 1`,
    ),
    index("contents_seller_idx").on(t.sellerId),
    uniqueIndex("contents_product_key").on(t.productId),
    uniqueIndex("contents_order_bump_key").on(t.orderBumpId),
    uniqueIndex("contents_upsell_offer_key").on(t.upsellOfferId),
  ],
);

/** What a line sold has of a bump or an offer that its seller removed since. */
export const lineContents = pgTable(
  "line_contents",
  {
    lineId: uuid()
      .primaryKey()
      .references(() => saleLines.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    contentId: uuid()
      .notNull()
      .references(() => contents.id),
  },
  (t) => [index("line_contents_content_idx").on(t.contentId)],
);

/** A file, a link or a text in a content. Replacing its file gives the new one to buyers of before, too. */
export const contentItems = pgTable(
  "content_items",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    contentId: uuid()
      .notNull()
      .references(() => contents.id, { onDelete: "cascade" }),
    kind: text({ enum: CONTENT_KINDS }).notNull(),
    position: integer().notNull().default(0),
    name: text().notNull(),
    fileId: uuid().references(() => files.id),
    url: text(),
    /** As the seller wrote it; sanitised where it is shown. */
    html: text(),
    /** Since when its PDF is stamped for who buys it; null where it is not. */
    stampedSince: moment(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    oneOf("content_items_kind_check", t.kind, CONTENT_KINDS),
    exactlyWhen("content_items_file_check", sql`${t.kind} = 'file'`, sql`${t.fileId} is not null`),
    exactlyWhen("content_items_url_check", sql`${t.kind} = 'link'`, sql`${t.url} is not null`),
    exactlyWhen("content_items_html_check", sql`${t.kind} = 'text'`, sql`${t.html} is not null`),
    index("content_items_content_idx").on(t.contentId, t.position),
    index("content_items_file_idx").on(t.fileId).where(sql`file_id is not null`),
  ],
);

/** A file that a buyer began to download: one row for each signed address, however many parts of it were asked for. */
export const downloads = pgTable(
  "downloads",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    lineId: uuid()
      .notNull()
      .references(() => saleLines.id, { onDelete: "cascade" }),
    /** Which file of the content; kept when the seller takes it out. */
    itemId: uuid().notNull(),
    /** SHA-256 of the signature of the address it was asked by: that opens the file until it ends. */
    ticket: text().notNull(),
    at: createdAt(),
  },
  (t) => [
    uniqueIndex("downloads_ticket_key").on(t.ticket),
    index("downloads_sale_idx").on(t.saleId, t.itemId, t.at),
    index("downloads_line_idx").on(t.lineId),
  ],
);

/** That a seller let one buyer download anew: what was counted before this moment counts no more. */
export const downloadResets = pgTable("download_resets", {
  saleId: uuid()
    .primaryKey()
    .references(() => sales.id, { onDelete: "cascade" }),
  sellerId: uuid()
    .notNull()
    .references(() => sellers.id),
  at: createdAt(),
});
