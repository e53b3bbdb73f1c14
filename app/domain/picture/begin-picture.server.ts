import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { announceFile, holdFiles } from "#app/domain/file/announce-file.server.ts";
import { beginFile } from "#app/domain/file/begin-file.server.ts";
import { orFull } from "#app/domain/file/or-full.server.ts";
import { MOST_DUE, MOST_PICTURE_BYTES } from "#app/domain/picture/limits.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import type { PicturePlace } from "#app/kit/files/pictures.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** `size` in bytes. */
export type NewPicture = { place: PicturePlace; name: string; size: number };

/**
 * Announces a picture; it comes in parts as any file does, and is prepared once it is whole.
 * @returns its id, and the upload's @throws Refusal invalid, too-large, too-many, conflict
 */
export async function beginPicture(sellerId: string, { place, name, size }: NewPicture): Promise<string> {
  if (size < 1) throw new Refusal("invalid", "O arquivo está vazio: escolha outra imagem", "file");
  if (size > MOST_PICTURE_BYTES)
    throw new Refusal(
      "too-large",
      `A imagem tem ${formatBytes(size)}, e o limite é ${formatBytes(MOST_PICTURE_BYTES)}. Salve-a menor, como JPEG, e envie de novo.`,
      "file",
    );
  const id = await db.transaction(async (tx) => {
    await holdFiles(tx, sellerId);
    const waiting = and(eq(pictures.sellerId, sellerId), isNotNull(pictures.dueAt));
    if ((await tx.$count(pictures, waiting)) >= MOST_DUE)
      throw new Refusal(
        "too-many",
        `Já há ${MOST_DUE} imagens suas sendo preparadas. Envie mais quando elas estiverem prontas.`,
        "file",
        60,
        "pictures_waiting",
      );
    const sourceId = await announceFile(tx, sellerId, { name, size });
    await tx.insert(pictures).values({ id: sourceId, sellerId, place, sourceId });
    return sourceId;
  });
  // Where the keeper takes none the picture stays without its source, for cleaning to find.
  await orFull(() => beginFile(id));
  return id;
}
