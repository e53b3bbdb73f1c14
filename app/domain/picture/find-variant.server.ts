import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { type PictureFormat, readPictureName } from "#app/kit/files/pictures.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

/** One size of a picture; `size` in bytes. */
export type ReadableVariant = {
  format: PictureFormat;
  size: number;
  read: () => Promise<AsyncIterable<Uint8Array>>;
};

/** The image variant at one of our addresses; null where the picture does not exist, or not in that size. */
export async function findVariant(key: string, name: string): Promise<ReadableVariant | null> {
  const requested = readPictureName(name);
  if (!requested || !/^[0-9a-f]{32}$/.test(key)) return null;
  const [picture] = await db
    .select({ packId: pictures.packId, variants: pictures.variants })
    .from(pictures)
    .where(and(eq(pictures.key, key), eq(pictures.use, requested.use), isNotNull(pictures.readyAt)))
    .limit(1);
  const variant = picture?.variants.find(
    ({ width, height, format }) =>
      width === requested.width && height === requested.height && format === requested.format,
  );
  if (!picture?.packId || !variant) return null;
  const { packId } = picture;
  const { from, bytes } = variant;
  return { format: requested.format, size: bytes, read: () => storage.read(packId, from, from + bytes - 1) };
}
