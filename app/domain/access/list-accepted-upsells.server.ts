import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale, ofSaleId } from "#app/db/conditions.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { isBeingConfirmed } from "#app/domain/charge/find-payment-summary.server.ts";

/** An upsell that was accepted after a purchase: paid, still to be paid, or with a payment that is being confirmed. Money in cents. */
export type AcceptedUpsell = {
  saleId: string;
  name: string;
  amountCents: number;
  isPaid: boolean;
  isBeingConfirmed: boolean;
};

/** The upsells that were accepted after a purchase, oldest first; one whose code was refused can still be paid. */
export async function listAcceptedUpsells(saleId: string): Promise<AcceptedUpsell[]> {
  return db
    .select({
      saleId: sales.id,
      name: saleLines.name,
      amountCents: sales.amountCents,
      isPaid: sql<boolean>`${sales.status} in ('completed', 'disputed')`,
      isBeingConfirmed,
    })
    .from(sales)
    .innerJoin(saleLines, and(ofSale(saleLines), eq(saleLines.position, 0)))
    .where(
      and(
        ofSaleId({ sellerId: sales.sellerId, saleId: sales.parentSaleId }, saleId),
        inArray(sales.status, ["completed", "disputed", "pending", "failed"]),
      ),
    )
    .orderBy(asc(sales.createdAt));
}
