import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale } from "#app/db/conditions.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { mayHaveOpened } from "#app/domain/delivery/queue-deliveries.server.ts";
import { itemCode, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";

type Owned = Pick<SaleNotification, "stillOwnedCodes" | "stillOwnedSaleIds" | "heldLines">;

export const OWNS_NOTHING: Owned = { stillOwnedCodes: [], stillOwnedSaleIds: [], heldLines: [] };

/**
 * What an e-mail still has access to at the seller of a sale whose access ends, and what only that sale held open: where a
 * destination is given, of the sales whose end it is notified of.
 */
export async function findOwned(
  { id, sellerId, completedAt }: { id: string; sellerId: string; completedAt: Date | null },
  email: string,
  destinationId?: string,
): Promise<Owned> {
  const rows = await db
    .select({
      saleId: sales.id,
      lineId: saleLines.id,
      kind: saleLines.kind,
      itemId: saleLines.itemId,
      name: saleLines.name,
      isFirst: sql<boolean>`row_number() over (partition by ${sales.id} order by ${saleLines.position}) = 1`,
      hasAccess: hasAccessCondition,
      wasHeld: sql<boolean>`coalesce(${sales.accessSuspendedAt}, ${sales.refundedAt}, 'infinity') > ${completedAt?.toISOString() ?? null}::timestamptz`,
    })
    .from(sales)
    .innerJoin(saleLines, ofSale(saleLines))
    .where(
      and(
        ...[eq(sales.customerEmail, email), eq(sales.sellerId, sellerId), isNotNull(sales.completedAt)],
        destinationId === undefined ? undefined : isEndDelivered(destinationId),
      ),
    );
  const owned = rows.filter(({ hasAccess }) => hasAccess);
  const held = rows.filter(({ saleId, hasAccess, wasHeld }) => !hasAccess && wasHeld && saleId !== id);
  return {
    stillOwnedCodes: [...new Set(owned.flatMap((line) => itemCode(line) ?? []))],
    stillOwnedSaleIds: [...new Set(owned.map(({ saleId }) => saleId))],
    heldLines: held.map(({ saleId, lineId, isFirst, kind, itemId, name }) => ({
      ...{ orderId: isFirst ? saleId : lineId, kind, itemId, name },
    })),
  };
}

/** Whether the sale's end reaches the destination: what another one opened would hold open here what nothing closes later. */
function isEndDelivered(destinationId: string): SQL {
  return sql`exists (select from ${destinations} d where d.seller_id = ${sales.sellerId} and d.id = ${destinationId}::uuid
    and (d.product_ids is null or ${sales.productId} = any(d.product_ids)
      or ${mayHaveOpened(sql`${sales.sellerId}`, sql`${sales.id}`)}))`;
}
