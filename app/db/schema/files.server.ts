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
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert, uuidKey } from "#app/db/columns.server.ts";
import { CONTENT_KINDS } from "#app/db/schema/lists.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** A file a seller uploaded, complete or in progress. The blob store uses its id; its name is only shown. */
export const files = pgTable(
  "files",
  {
    id: uuidKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    name: text().notNull(),
    /** Where it goes once it is complete; null once that does not exist any more. */
    contentId: uuid().references((): AnyPgColumn => contents.id, { onDelete: "set null" }),
    /** The content item it replaces; null for a new one. */
    replacesItemId: uuid(),
    /** Bytes, as announced; all of them are there once it is ready. */
    size: bigint({ mode: "number" }).notNull(),
    received: bigint({ mode: "number" }).notNull().default(0),
    /** Detected from its first bytes; null until it is ready. */
    contentType: text(),
    /** The blob store's own id of the upload, where it needs one. */
    uploadRef: text(),
    /** The blob store's tag of each received part, in order. */
    parts: jsonb().$type<string[]>().notNull().default([]),
    createdAt: momentOfInsert(),
    /** When its last part came. */
    touchedAt: momentOfInsert(),
    /** When it was complete. */
    readyAt: moment(),
    /** Made from another file for one buyer: does not count towards the seller's storage. */
    isCopy: boolean().notNull().default(false),
    /** When it was found missing in the blob store. */
    missingAt: moment(),
    /** Which request receives its next part: one at a time, the latest. */
    lease: uuid(),
    /** When its lease ends, unless renewed: a process that died holds it no longer. */
    leasedUntil: moment(),
  },
  (t) => [
    check("files_size_check", sql`${t.size} > 0 and ${t.received} between 0 and ${t.size}`),
    ifAndOnlyIf("files_ready_check", sql`${t.readyAt} is not null`, sql`${t.contentType} is not null`),
    index("files_seller_idx").on(t.sellerId, t.createdAt),
    index("files_touched_idx").on(t.touchedAt),
    index("files_open_idx").on(t.sellerId).where(sql`ready_at is null`),
    index("files_content_idx").on(t.contentId).where(sql`content_id is not null`),
  ],
);

/**
 * Files whose row was deleted before they were complete, by a trigger on `files`: parts of them may be left in the bucket,
 * and this tells them from other applications' uploads.
 */
export const droppedUploads = pgTable(
  "dropped_uploads",
  {
    /** The file's. */
    id: uuid().primaryKey(),
    droppedAt: momentOfInsert(),
  },
  (t) => [index("dropped_uploads_dropped_idx").on(t.droppedAt)],
);

/**
 * What buyers of a product, bump or upsell get. It outlives the bump or upsell: earlier buyers reach it by `line_contents`
 * then.
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
    upsellId: bigint({ mode: "number" }).references(() => upsells.id, { onDelete: "set null" }),
    createdAt: momentOfInsert(),
  },
  (t) => [
    check("contents_owner_check", sql`num_nonnulls(${t.productId}, ${t.orderBumpId}, ${t.upsellId}) <= 1`),
    index("contents_seller_idx").on(t.sellerId),
    uniqueIndex("contents_product_key").on(t.productId),
    uniqueIndex("contents_order_bump_key").on(t.orderBumpId),
    uniqueIndex("contents_upsell_key").on(t.upsellId),
  ],
);

/** The content of a sold line whose bump or upsell its seller removed since. */
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

/** A file, link or text in a content. Replacing its file also changes it for earlier buyers. */
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
    /** Since when its PDF is stamped for each buyer; null where it is not. */
    stampedSince: moment(),
    createdAt: momentOfInsert(),
    updatedAt: momentOfInsert(),
  },
  (t) => [
    oneOf("content_items_kind_check", t.kind, CONTENT_KINDS),
    ifAndOnlyIf("content_items_file_check", sql`${t.kind} = 'file'`, sql`${t.fileId} is not null`),
    ifAndOnlyIf("content_items_url_check", sql`${t.kind} = 'link'`, sql`${t.url} is not null`),
    ifAndOnlyIf("content_items_html_check", sql`${t.kind} = 'text'`, sql`${t.html} is not null`),
    index("content_items_content_idx").on(t.contentId, t.position),
    index("content_items_file_idx").on(t.fileId).where(sql`file_id is not null`),
  ],
);

/** A download that a buyer began: one row per signed address, however many range requests were made. */
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
    /** Which item of the content; stays when the seller removes it. */
    itemId: uuid().notNull(),
    /** SHA-256 of the signature in the address: it opens the file until it expires. */
    ticket: text().notNull(),
    at: momentOfInsert(),
  },
  (t) => [
    uniqueIndex("downloads_ticket_key").on(t.ticket),
    index("downloads_sale_idx").on(t.saleId, t.itemId, t.at),
    index("downloads_line_idx").on(t.lineId),
  ],
);

/** A seller reset one buyer's download limit: downloads before this moment do not count. */
export const downloadResets = pgTable(
  "download_resets",
  {
    saleId: uuid()
      .notNull()
      .references(() => sales.id, { onDelete: "cascade" }),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    at: momentOfInsert(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.saleId] })],
);
