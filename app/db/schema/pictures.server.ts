import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { ifAndOnlyIf, oneOf } from "#app/db/checks.server.ts";
import { moment, momentOfInsert } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { PICTURE_FAILURES, PICTURE_USES } from "#app/kit/files/pictures.ts";

/** One size and format of a picture: the offset and length of its bytes in the picture's file. */
type StoredVariant = { width: number; height: number; format: string; from: number; bytes: number };

/**
 * A picture that a seller uploaded for one purpose: uploading, being processed, ready or refused. Its id is that of its
 * upload, whose file is deleted once the picture is ready.
 */
export const pictures = pgTable(
  "pictures",
  {
    id: uuid().primaryKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    use: text({ enum: PICTURE_USES }).notNull(),
    /** The original file; null once it is not needed any more. */
    sourceId: uuid().references(() => files.id, { onDelete: "set null" }),
    /** When it is to be processed; null before it is complete, and once that is done. */
    scheduledAt: moment(),
    /** How often processing was started. */
    attempts: integer().notNull().default(0),
    failure: text({ enum: PICTURE_FAILURES }),
    /** A hash of its bytes, which its address is made from. Two pictures of a seller may be the same. */
    key: text(),
    /** The file with all its variants, one after the other. */
    packId: uuid().references(() => files.id),
    variants: jsonb().$type<StoredVariant[]>().notNull().default([]),
    /** Pixels of the largest; null until it is ready. */
    width: integer(),
    height: integer(),
    /** For browsers that support no newer format: `jpg`, or `png` with transparency. */
    fallback: text({ enum: ["jpg", "png"] }),
    /** Only its first frame is shown. */
    isAnimated: boolean().notNull().default(false),
    createdAt: momentOfInsert(),
    /** When it was last uploaded, saved or found in use. */
    touchedAt: momentOfInsert(),
    readyAt: moment(),
  },
  (t) => [
    oneOf("pictures_use_check", t.use, PICTURE_USES),
    oneOf("pictures_failure_check", t.failure, PICTURE_FAILURES),
    ifAndOnlyIf(
      "pictures_ready_check",
      sql`${t.readyAt} is not null`,
      sql`num_nulls(${t.key}, ${t.packId}, ${t.width}, ${t.height}, ${t.fallback}) = 0`,
    ),
    index("pictures_key_idx").on(t.key).where(sql`key is not null`),
    index("pictures_seller_idx").on(t.sellerId),
    index("pictures_scheduled_idx").on(t.scheduledAt).where(sql`scheduled_at is not null`),
    index("pictures_touched_idx").on(t.touchedAt),
    index("pictures_source_idx").on(t.sourceId).where(sql`source_id is not null`),
    index("pictures_pack_idx").on(t.packId).where(sql`pack_id is not null`),
  ],
);
