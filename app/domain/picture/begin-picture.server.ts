import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import {
  beginStorageUpload,
  lockSellerFiles,
  refuseWhenFull,
  registerFile,
} from "#app/domain/file/register-file.server.ts";
import { MAX_PICTURE_BYTES, MAX_WAITING } from "#app/domain/picture/limits.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { PICTURES } from "#app/queue/names.ts";

/** `size` in bytes. */
export type NewPicture = { use: PictureUse; name: string; size: number };

/**
 * Registers a picture. It is uploaded in parts like any file, and processed once it is complete.
 * @returns its id, and the upload's @throws Refusal invalid, too-large, too-many, conflict
 */
export async function beginPicture(sellerId: string, { use, name, size }: NewPicture): Promise<string> {
  if (size < 1) throw new Refusal("invalid", "O arquivo está vazio: escolha outra imagem", "file");
  if (size > MAX_PICTURE_BYTES)
    throw new Refusal(
      "too-large",
      `A imagem tem ${formatBytes(size)}, e o limite é ${formatBytes(MAX_PICTURE_BYTES)}. Salve-a menor, como JPEG, e envie de novo.`,
      "file",
    );
  const id = await db.transaction(async (tx) => {
    await lockSellerFiles(tx, sellerId);
    const waiting = and(eq(pictures.sellerId, sellerId), isNotNull(pictures.scheduledAt));
    if ((await tx.$count(pictures, waiting)) >= MAX_WAITING)
      throw new Refusal(
        "too-many",
        `Já há ${MAX_WAITING} imagens suas sendo preparadas. Envie mais quando elas estiverem prontas.`,
        "file",
        60,
        "pictures_waiting",
      );
    const sourceId = await registerFile(tx, sellerId, { name, size });
    await tx.insert(pictures).values({ id: sourceId, sellerId, use: use, sourceId });
    return sourceId;
  });
  // If the blob store has no space, the picture stays without its source, and `cleanPictures` deletes it.
  await refuseWhenFull(() => beginStorageUpload(id));
  return id;
}

/** Schedules the processing of a complete file where it is a picture. */
export async function schedulePicture(tx: Tx, fileId: string): Promise<void> {
  const [scheduled] = await tx
    .update(pictures)
    .set({ scheduledAt: sql`now()`, touchedAt: sql`now()` })
    .where(eq(pictures.sourceId, fileId))
    .returning({ id: pictures.id });
  if (scheduled) await notify(tx, "due", PICTURES);
}
