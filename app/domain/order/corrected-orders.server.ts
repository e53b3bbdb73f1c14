import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { qualified } from "#app/db/columns.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { PricedOrder } from "#app/domain/order/insert-sale.server.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { unseal } from "#app/platform/secrets.server.ts";

const chosenBumpIds = sql<
  number[]
>`(select coalesce(json_agg(l.order_bump_id order by l.order_bump_id), '[]') from sale_lines l
  where l.seller_id = ${qualified(sales.sellerId)} and l.sale_id = ${qualified(sales.id)} and l.kind = 'bump')`;

/**
 * The fingerprints of orders of this browser that had another e-mail until it was corrected to that of this one, and are the same
 * otherwise: with them it finds the corrected sale.
 */
export async function findCorrectedOrders(
  tx: Tx,
  { order, product, bumps, priced }: PricedOrder,
): Promise<string[]> {
  const { customer, buyerContext } = order;
  if (!customer.email || buyerContext.placedSaleIds.length === 0) return [];
  const corrected = await tx
    .select({
      orderKey: sales.orderKey,
      documentSealed: sales.customerDocumentSealed,
      bumpIds: chosenBumpIds,
    })
    .from(sales)
    .where(
      and(
        eq(sales.sellerId, product.sellerId),
        inArray(sales.id, buyerContext.placedSaleIds),
        isNotNull(sales.emailCorrectedAt),
        eq(sales.customerEmail, customer.email),
        eq(sales.productId, product.id),
        isNull(sales.parentSaleId),
        sql`${sales.offerId} is not distinct from ${product.offer?.id ?? null}`,
        eq(sales.quantity, priced.lines[0]!.quantity),
      ),
    );
  const chosen = bumps.map(({ id }) => id).toSorted((a, b) => a - b);
  const isSame = ({ documentSealed, bumpIds }: (typeof corrected)[number]) =>
    (documentSealed && unseal(documentSealed)) === customer.document && bumpIds.join() === chosen.join();
  return corrected.filter(isSame).map(({ orderKey }) => orderKey);
}

/** The e-mail of a sale that it was corrected to after the order; null where it is the one that was ordered with. */
export async function findCorrectedEmail(saleId: string): Promise<string | null> {
  if (!isUuid(saleId)) return null;
  const [corrected] = await db
    .select({ email: sales.customerEmail })
    .from(sales)
    .where(and(eq(sales.id, saleId), isNotNull(sales.emailCorrectedAt)));
  return corrected?.email ?? null;
}
