import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { exactlyWhen, oneOf } from "#app/db/checks.server.ts";
import { createdAt, moment } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { PICTURE_FAILURES, PICTURE_PLACES } from "#app/kit/files/pictures.ts";

/** One size and format of a picture: where its bytes begin in the picture's file, and how many they are. */
type KeptVariant = { width: number; height: number; format: string; from: number; bytes: number };

/**
 * A picture that a seller sent for one kind of place: on its way, being prepared, ready or refused. Its id is that of the
 * upload it came in, which goes once the picture is ready.
 */
export const pictures = pgTable(
  "pictures",
  {
    id: uuid().primaryKey(),
    sellerId: uuid()
      .notNull()
      .references(() => sellers.id),
    place: text({ enum: PICTURE_PLACES }).notNull(),
    /** As it was sent; null once that is not needed any more. */
    sourceId: uuid().references(() => files.id, { onDelete: "set null" }),
    /** When it is to be prepared; null before it is whole, and once that is done. */
    dueAt: moment(),
    /** How often that was begun. */
    tries: integer().notNull().default(0),
    failure: text({ enum: PICTURE_FAILURES }),
    /** Of its bytes; what its address is made of. Two pictures of a seller may be the same. */
    key: text(),
    /** All its sizes and formats, one after the other. */
    packId: uuid().references(() => files.id),
    variants: jsonb().$type<KeptVariant[]>().notNull().default([]),
    /** Pixels of the largest; null until it is ready. */
    width: integer(),
    height: integer(),
    /** What is sent to browsers that know nothing newer: `jpg`, or `png` where something is seen through. */
    fallback: text({ enum: ["jpg", "png"] }),
    /** Only its first frame is shown. */
    isAnimated: boolean().notNull().default(false),
    createdAt: createdAt(),
    /** When it was last sent, saved somewhere or found to stand somewhere. */
    touchedAt: createdAt(),
    readyAt: moment(),
  },
  (t) => [
    oneOf("pictures_place_check", t.place, PICTURE_PLACES),
    oneOf("pictures_failure_check", t.failure, PICTURE_FAILURES),
    exactlyWhen(
      "pictures_ready_check",
      sql`${t.readyAt} is not null`,
      sql`num_nulls(${t.key}, ${t.packId}, ${t.width}, ${t.height}, ${t.fallback}) = 0`,
    ),
    index("pictures_key_idx").on(t.key).where(sql`key is not null`),
    index("pictures_seller_idx").on(t.sellerId),
    index("pictures_due_idx").on(t.dueAt).where(sql`due_at is not null`),
    index("pictures_touched_idx").on(t.touchedAt),
    index("pictures_source_idx").on(t.sourceId).where(sql`source_id is not null`),
    index("pictures_pack_idx").on(t.packId).where(sql`pack_id is not null`),
  ],
);
