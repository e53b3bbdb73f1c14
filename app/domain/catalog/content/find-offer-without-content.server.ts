import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";

/**
 * An offer of a product that names removed content only: without a link of the product its buyers get nothing. The caller
 * has locked the product's row.
 */
export async function findOfferWithoutContent(
  tx: Tx,
  { sellerId, productId }: { sellerId: string; productId: number },
  condition: SQL | undefined,
): Promise<{ name: string; archivedAt: Date | null } | null> {
  const [offer] = await tx
    .select({ name: offers.name, archivedAt: offers.archivedAt })
    .from(offers)
    .where(
      and(
        ...[eq(offers.sellerId, sellerId), eq(offers.productId, productId), isNotNull(offers.contentItemIds)],
        sql`not exists (select from ${contentItems} i where i.seller_id = ${sellerId} and i.id = any("offers"."content_item_ids"))`,
        condition,
      ),
    )
    // One that the seller can still change is named first.
    .orderBy(sql`${offers.archivedAt} nulls first`, asc(offers.position))
    .limit(1);
  return offer ?? null;
}

/** The condition for an offer that can be sold, also again. */
export const isSellable: SQL = isNull(offers.archivedAt);

/** The condition for an offer that was ordered while its product had no link. An order keeps the link it was placed with. */
export const wasOrderedWithoutLink: SQL = sql`exists (
  select from ${sales} s inner join ${saleLines} l on l.seller_id = s.seller_id and l.sale_id = s.id
  where s.seller_id = "offers"."seller_id" and s.offer_id = "offers"."id" and l.kind = 'product' and l.file_url is null)`;
