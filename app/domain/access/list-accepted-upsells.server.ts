import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale, ofSaleId } from "#app/db/conditions.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { isBeingConfirmed, isForSale } from "#app/domain/charge/conditions.server.ts";

/** An upsell that was accepted after a purchase: paid, still to be paid, or with a payment that is being confirmed. Money in cents. */
export type AcceptedUpsell = {
  saleId: string;
  name: string;
  amountCents: number;
  isPaid: boolean;
  isBeingConfirmed: boolean;
};

const isPaid = sql<boolean>`${sales.status} in ('completed', 'disputed')`;

/** It has a code that can be paid, or a payment of another amount, also where it gets no other code. */
const hasPix = sql`exists (
  select from charges c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id}
    and (c.status = 'mispaid' or c.status = 'open' and coalesce(c.expires_at > now(), true)))`;

/**
 * The upsells that were accepted after a purchase, oldest first. One whose code was refused can still be paid; one that is unpaid and
 * sold no longer cannot, and is left out.
 */
export async function listAcceptedUpsells(saleId: string): Promise<AcceptedUpsell[]> {
  return db
    .select({
      saleId: sales.id,
      name: saleLines.name,
      amountCents: sales.amountCents,
      isPaid,
      isBeingConfirmed,
    })
    .from(sales)
    .innerJoin(saleLines, and(ofSale(saleLines), eq(saleLines.position, 0)))
    .where(
      and(
        ofSaleId({ sellerId: sales.sellerId, saleId: sales.parentSaleId }, saleId),
        inArray(sales.status, ["completed", "disputed", "pending", "failed"]),
        or(isPaid, isBeingConfirmed, isForSale, hasPix),
      ),
    )
    .orderBy(asc(sales.createdAt));
}
