import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { lockOwnItem } from "#app/domain/content/lock-own-item.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Removes an item from a content, also for earlier buyers. Its file is deleted by a later cleanup.
 * @throws Refusal not-found; conflict where buyers of a product would be left with nothing
 */
export async function removeItem(sellerId: string, itemId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await lockOwnItem(tx, sellerId, itemId);
    const itemCount = await tx.$count(contentItems, eq(contentItems.contentId, item.contentId));
    const [product] = item.productId
      ? await tx
          .select({ fileUrl: products.fileUrl })
          .from(products)
          .where(eq(products.id, item.productId))
          .for("no key update")
      : [];
    if (product && !product.fileUrl && itemCount === 1)
      throw new Refusal(
        "conflict",
        "Este é o único conteúdo do produto: quem compra ficaria sem nada. Inclua outro antes, ou um link do arquivo no produto.",
      );
    const [removed] = await tx.delete(contentItems).where(eq(contentItems.id, item.id)).returning();
    // Downloads in progress may finish: `cleanFiles` counts from here.
    if (removed?.fileId)
      await tx.update(files).set({ touchedAt: new Date() }).where(eq(files.id, removed.fileId));
  });
}
