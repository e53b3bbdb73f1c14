import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { type PictureFormat, readPictureName } from "#app/kit/files/pictures.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** One size of a picture; `size` in bytes. */
export type KeptVariant = {
  format: PictureFormat;
  size: number;
  read: () => Promise<AsyncIterable<Uint8Array>>;
};

/** What an address of ours leads to; null where there is no such picture, or none in that size. */
export async function findVariant(key: string, name: string): Promise<KeptVariant | null> {
  const asked = readPictureName(name);
  if (!asked || !/^[0-9a-f]{32}$/.test(key)) return null;
  const [picture] = await db
    .select({ packId: pictures.packId, variants: pictures.variants })
    .from(pictures)
    .where(and(eq(pictures.key, key), eq(pictures.place, asked.place), isNotNull(pictures.readyAt)))
    .limit(1);
  const variant = picture?.variants.find(
    ({ width, height, format }) =>
      width === asked.width && height === asked.height && format === asked.format,
  );
  if (!picture?.packId || !variant) return null;
  const { packId } = picture;
  const { from, bytes } = variant;
  return { format: asked.format, size: bytes, read: () => storage.read(packId, from, from + bytes - 1) };
}
