import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, contents, files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { fileName } from "#app/domain/content/file-name.ts";
import { MOST_ITEMS } from "#app/domain/content/limits.ts";
import { ownContent } from "#app/domain/content/own-content.server.ts";
import type { Owner } from "#app/domain/content/owner.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

export type NewUpload = {
  productId: number;
  owner: Owner;
  name: string;
  /** Bytes. */
  size: number;
  /** The item whose file this one takes the place of. */
  replaces?: string | null;
};

const GB = 1024 ** 3;

/**
 * Announces a file that comes in parts. Its bytes count against the seller's room from now on.
 * @returns the upload's id
 * @throws Refusal not-found; too-large where the seller has no room for it
 */
export async function beginUpload(sellerId: string, upload: NewUpload): Promise<string> {
  const name = fileName(upload.name);
  const file = await db.transaction(async (tx) => {
    // Two that begin at once are counted one after the other.
    await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
    const contentId = await ownContent(tx, sellerId, upload.productId, upload.owner);
    const replacesItemId = upload.replaces ?? null;
    if (replacesItemId) await refuseOther(contentId, replacesItemId);
    else await refuseMany(contentId);
    const [used] = await tx
      .select({ bytes: sql<string>`coalesce(sum(size), 0)` })
      .from(files)
      .where(eq(files.sellerId, sellerId));
    const left = env.STORAGE_SELLER_GB * GB - Number(used!.bytes);
    if (upload.size > left)
      throw new Refusal(
        "too-large",
        `O arquivo tem ${formatBytes(upload.size)}, e o seu espaço livre é de ${formatBytes(Math.max(0, left))}. Apague arquivos que não usa mais.`,
        "file",
        undefined,
        "quota_exceeded",
      );
    const values = { sellerId, contentId, replacesItemId, name, size: upload.size };
    const [row] = await tx.insert(files).values(values).returning({ id: files.id });
    return row!.id;

    async function refuseOther(contentId: string, itemId: string) {
      const [item] = await tx
        .select({ id: contentItems.id })
        .from(contentItems)
        .innerJoin(contents, eq(contents.id, contentItems.contentId))
        .where(and(eq(contentItems.id, itemId), eq(contents.id, contentId), eq(contentItems.kind, "file")));
      if (!item) throw notFound("Arquivo não encontrado");
    }

    async function refuseMany(contentId: string) {
      const many = await tx.$count(contentItems, eq(contentItems.contentId, contentId));
      if (many >= MOST_ITEMS) throw new Refusal("conflict", `No máximo ${MOST_ITEMS} itens`);
    }
  });
  try {
    const uploadRef = await storage.begin(file);
    if (uploadRef) await db.update(files).set({ uploadRef }).where(eq(files.id, file));
  } catch (error) {
    await db.delete(files).where(eq(files.id, file));
    throw error;
  }
  return file;
}
