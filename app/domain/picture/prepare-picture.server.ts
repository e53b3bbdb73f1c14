import { createHash } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { dropFile } from "#app/domain/file/drop-file.server.ts";
import { keepBytes } from "#app/domain/file/keep-bytes.server.ts";
import { MOST_TRIES } from "#app/domain/picture/limits.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { PictureFailure } from "#app/kit/files/pictures.ts";
import { pressPicture } from "#app/platform/picture/press-picture.server.ts";
import { type Pressed, PressFailure } from "#app/platform/picture/pressed.ts";
import { FileGone, StorageAway } from "#app/platform/storage/keeper.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { PICTURES } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";
import { turnsBySeller } from "#app/queue/turns.server.ts";

/** Longer than preparing one may take. */
const LEASE = 90 * SECOND;

type DuePicture = Pick<typeof pictures.$inferSelect, "id" | "sellerId" | "place" | "sourceId" | "tries">;

/** Prepares pictures that sellers sent, one at a time, in turns by seller: what else the worker does is more urgent. */
export const preparing = definePump<DuePicture>({
  name: PICTURES,
  atOnce: 1,
  every: 5 * SECOND,
  claim: claimPictures,
  handle: preparePicture,
  about: ({ id, tries }) => ({ pictureId: id, tries }),
});

const turns = turnsBySeller();

async function claimPictures(most: number): Promise<DuePicture[]> {
  const taken = await db
    .update(pictures)
    .set({ dueAt: sql`now() + make_interval(secs => ${LEASE / SECOND})`, tries: sql`${pictures.tries} + 1` })
    .where(
      sql`${pictures.id} = any(array(select id from pictures where due_at <= ${byNow}
        order by ${turns.order()}, due_at limit ${most} for update skip locked))`,
    )
    .returning({
      id: pictures.id,
      sellerId: pictures.sellerId,
      place: pictures.place,
      sourceId: pictures.sourceId,
      tries: pictures.tries,
    });
  turns.took(taken);
  return taken;
}

/**
 * Makes a picture ready in all its sizes, or says why it cannot be. Whoever does it a second time, or wakes up after
 * somebody else took it over, changes nothing.
 */
async function preparePicture(due: DuePicture): Promise<void> {
  const pressed = await pressedOr(due);
  const isDone = typeof pressed === "string" ? await fail(due, pressed) : await makeReady(due, pressed);
  if (isDone && due.sourceId) await dropFile(due.sourceId);
}

async function pressedOr({ sourceId, place, tries }: DuePicture): Promise<Pressed | PictureFailure> {
  if (!sourceId) return "broken";
  try {
    const [source] = await db.select({ size: files.size }).from(files).where(eq(files.id, sourceId));
    if (!source) return "broken";
    return await pressPicture(await storage.read(sourceId, 0, source.size - 1), place);
  } catch (error) {
    if (error instanceof PressFailure) return error.kind;
    if (error instanceof FileGone) return "broken";
    // Nothing is wrong with the picture: it waits until its file is in reach again.
    if (error instanceof StorageAway) throw error;
    if (tries >= MOST_TRIES) return "heavy";
    throw error;
  }
}

/** @returns whether it was still ours to say */
async function fail(due: DuePicture, failure: PictureFailure): Promise<boolean> {
  const rows = await db
    .update(pictures)
    .set({ failure, dueAt: null, sourceId: null })
    .where(stillOurs(due))
    .returning({ id: pictures.id });
  return rows.length > 0;
}

/** The same. */
async function makeReady(due: DuePicture, { bytes, variants, ...pressed }: Pressed): Promise<boolean> {
  const pack = Buffer.concat(bytes);
  const { sellerId, place } = due;
  const key = createHash("sha256").update(`${sellerId}/${place}/`).update(pack).digest("hex").slice(0, 32);
  const same = await db.transaction((tx) => takeSame(tx, due, key));
  if (same !== null) return same;
  const packId = await keepBytes(sellerId, { name: "imagem", size: pack.byteLength }, whole(pack));
  let from = 0;
  const kept = variants.map((variant) => {
    const at = { ...variant, from };
    from += variant.bytes;
    return at;
  });
  const isReady = await db.transaction(async (tx) => {
    await tx
      .update(files)
      .set({ readyAt: new Date(), contentType: "application/octet-stream" })
      .where(eq(files.id, packId));
    return settle(tx, due, { ...pressed, key, packId, variants: kept });
  });
  if (!isReady) await dropFile(packId);
  return isReady;
}

async function* whole(bytes: Uint8Array) {
  yield bytes;
}

/** Where the seller sent the same picture before, both are one; null where they did not. */
async function takeSame(tx: Tx, due: DuePicture, key: string): Promise<boolean | null> {
  const [same] = await tx
    .select()
    .from(pictures)
    .where(and(eq(pictures.key, key), eq(pictures.sellerId, due.sellerId), isNotNull(pictures.readyAt)))
    .limit(1)
    .for("no key update");
  if (!same) return null;
  const { packId, variants, width, height, fallback, isAnimated } = same;
  return settle(tx, due, { key, packId, variants, width, height, fallback, isAnimated });
}

type Ready = Partial<typeof pictures.$inferInsert>;

async function settle(tx: Tx, due: DuePicture, ready: Ready): Promise<boolean> {
  const rows = await tx
    .update(pictures)
    .set({ ...ready, readyAt: new Date(), touchedAt: new Date(), dueAt: null, sourceId: null })
    .where(stillOurs(due))
    .returning({ id: pictures.id });
  return rows.length > 0;
}

function stillOurs({ id, tries }: DuePicture) {
  return and(eq(pictures.id, id), eq(pictures.tries, tries), isNotNull(pictures.dueAt));
}
