import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { contentItems, files, lineContents } from "#app/db/schema/files.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import {
  findOfferWithoutContent,
  isSellable,
  wasOrderedWithoutLink,
} from "#app/domain/catalog/content/find-offer-without-content.server.ts";
import { refuseSoldWithoutContent } from "#app/domain/catalog/content/refuse-sold-without-content.server.ts";
import { lockOwnItem } from "#app/domain/content/lock-own-item.server.ts";
import { readLockedItem } from "#app/domain/content/read-locked-item.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Removes an item from a content, also for earlier buyers. Its file is deleted by a later cleanup.
 * @param version the one that the seller saw; without it any is removed
 * @throws Refusal not-found; conflict where buyers of a product, bump, upsell or offer would be left with nothing, or where the item
 * was changed since `version`
 */
export async function removeItem(sellerId: string, itemId: string, version?: string): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await lockOwnItem(tx, sellerId, itemId);
    await readLockedItem(tx, item.id, version);
    const itemCount = await tx.$count(contentItems, eq(contentItems.contentId, item.contentId));
    const [product] = item.productId
      ? await tx
          .select({ fileUrl: products.fileUrl })
          .from(products)
          .where(eq(products.id, item.productId))
          .for("no key update")
      : [];
    if (itemCount === 1 && (await isAllOfRemoved(tx, sellerId, item)))
      throw new Refusal(
        "conflict",
        "Quem já comprou ficaria sem nada. Inclua outro conteúdo antes, ou troque este.",
      );
    if (product && !product.fileUrl && itemCount === 1)
      throw new Refusal(
        "conflict",
        "Este é o único conteúdo do produto: quem compra ficaria sem nada. Inclua outro antes, ou um link do arquivo no produto.",
      );
    const [removed] = await tx.delete(contentItems).where(eq(contentItems.id, item.id)).returning();
    const { orderBumpId, upsellId } = item;
    const advice = "Inclua outro conteúdo antes, ou troque este.";
    if (orderBumpId) await refuseSoldWithoutContent(tx, sellerId, "orderBumpId", [orderBumpId], { advice });
    if (upsellId) await refuseSoldWithoutContent(tx, sellerId, "upsellId", [upsellId], { advice });
    if (item.productId && product && !product.fileUrl)
      await refuseOfferWithoutContent(tx, { sellerId, productId: item.productId, itemId });
    // Downloads in progress may finish: `cleanFiles` counts from here.
    if (removed?.fileId)
      await tx.update(files).set({ touchedAt: sql`now()` }).where(eq(files.id, removed.fileId));
  });
}

/** Whether somebody who bought a bump or upsell that was removed since has nothing but this content. */
async function isAllOfRemoved(
  tx: Tx,
  sellerId: string,
  { contentId, productId, orderBumpId, upsellId }: Awaited<ReturnType<typeof lockOwnItem>>,
): Promise<boolean> {
  if (productId || orderBumpId || upsellId) return false;
  const [line] = await tx
    .select({ id: saleLines.id })
    .from(lineContents)
    .innerJoin(
      saleLines,
      and(eq(saleLines.sellerId, lineContents.sellerId), eq(saleLines.id, lineContents.lineId)),
    )
    .where(
      and(
        eq(lineContents.sellerId, sellerId),
        eq(lineContents.contentId, contentId),
        isNull(saleLines.fileUrl),
      ),
    )
    .limit(1);
  return line !== undefined;
}

/** Refuses a removal, in its transaction, after which buyers of an offer have nothing. @throws Refusal conflict */
async function refuseOfferWithoutContent(
  tx: Tx,
  { sellerId, productId, itemId }: { sellerId: string; productId: number; itemId: string },
): Promise<void> {
  const includesItem = sql`${itemId} = any(${offers.contentItemIds}) and ${or(isSellable, wasOrderedWithoutLink)}`;
  const emptyOffer = await findOfferWithoutContent(tx, { sellerId, productId }, includesItem);
  if (!emptyOffer) return;
  throw new Refusal(
    "conflict",
    emptyOffer.archivedAt
      ? `Este é o único conteúdo da oferta "${emptyOffer.name}", que foi apagada: quem comprou por ela ficaria sem nada. Troque-o por outro em vez de removê-lo, ou inclua um link do arquivo no produto.`
      : `Este é o único conteúdo da oferta "${emptyOffer.name}": quem compra por ela ficaria sem nada. Inclua outro nela antes, ou um link do arquivo no produto.`,
  );
}
