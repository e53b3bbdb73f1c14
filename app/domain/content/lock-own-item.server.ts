import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

export const itemNotFound = () => notFound("Item não encontrado");

/**
 * Finds a seller's item and locks its product, as `lockOwnContent` does, and its content, so that changes are serialized. The
 * product first: what deletes one changes its content, too.
 * @throws Refusal not-found
 */
export async function lockOwnItem(tx: Tx, sellerId: string, itemId: string) {
  if (!isUuid(itemId)) throw itemNotFound();
  const productId = sql`(select coalesce(c.product_id, b.product_id, u.product_id) from ${contentItems} i
    inner join ${contents} c on c.id = i.content_id
    left join ${orderBumps} b on b.id = c.order_bump_id left join ${upsells} u on u.id = c.upsell_id
    where i.id = ${itemId} and c.seller_id = ${sellerId})`;
  await tx
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), sql`${products.id} = ${productId}`))
    .for("no key update");
  const [found] = await tx
    .select({
      id: contentItems.id,
      contentId: contents.id,
      productId: contents.productId,
      orderBumpId: contents.orderBumpId,
      upsellId: contents.upsellId,
    })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .where(and(eq(contentItems.id, itemId), eq(contents.sellerId, sellerId)))
    .for("no key update", { of: contents });
  if (!found) throw itemNotFound();
  return found;
}
