import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { MOST_ITEMS } from "#app/domain/content/limits.ts";
import { ownContent } from "#app/domain/content/own-content.server.ts";
import type { Owner } from "#app/domain/content/owner.ts";
import { announceFile, holdFiles } from "#app/domain/file/announce-file.server.ts";
import { beginFile } from "#app/domain/file/begin-file.server.ts";
import { orFull } from "#app/domain/file/or-full.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

export type NewUpload = {
  productId: number;
  owner: Owner;
  name: string;
  /** Bytes. */
  size: number;
  /** The item whose file this one takes the place of. */
  replaces?: string | null;
};

/**
 * Announces a file that comes in parts. Its bytes count against the seller's room from now on.
 * @returns the upload's id
 * @throws Refusal not-found; too-large where the seller has no room for it
 */
export async function beginUpload(sellerId: string, upload: NewUpload): Promise<string> {
  const id = await db.transaction(async (tx) => {
    await holdFiles(tx, sellerId);
    const contentId = await ownContent(tx, sellerId, upload.productId, upload.owner);
    const replacesItemId = upload.replaces ?? null;
    if (replacesItemId) await refuseOther(contentId, replacesItemId);
    else await refuseMany(contentId);
    const { name, size } = upload;
    return announceFile(tx, sellerId, { name, size, contentId, replacesItemId });

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
  await orFull(() => beginFile(id));
  return id;
}
