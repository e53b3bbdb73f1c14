import { and, desc, eq, gt, inArray, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { couponUses, offerUses } from "#app/db/schema/uses.server.ts";
import { holdsUse } from "#app/domain/coupon/reserve-coupon.server.ts";
import type { SaleFingerprints } from "#app/domain/order/order-fingerprint.server.ts";
import { cardTotal } from "#app/domain/order/payable-order.server.ts";

/**
 * What the earlier sale must match. `couponId`: null without a coupon; `mustHoldUse`: its use of the coupon and its units of
 * an offer (`hasOffer`) were not returned.
 * `cardCents`: what it costs with a card, and `pixDiscountCents` less with a PIX. `hasEmail`: the buyer gave an e-mail.
 */
export type EarlierSaleQuery = {
  couponId: string | null;
  mustHoldUse: boolean;
  hasOffer: boolean;
  cardCents: number;
  pixDiscountCents: number;
  placedSaleIds: string[];
  isRepurchase: boolean;
  hasEmail: boolean;
};

/**
 * For a statement: the earlier sale that this order repeats, else null. It was placed by the same browser
 * (`placedSaleIds`, or its own id) within a day, or was submitted identically within five minutes. A submission that
 * arrives after its sale was paid is that sale too. Sales of other browsers are not searched. With `isRepurchase` the
 * buyer wants it again: no paid sale in `placedSaleIds` is a match, and where that is empty no paid sale at all.
 */
export function selectEarlierSale(
  tx: Tx,
  { sellerId, order, submission, hasBrowserId }: SaleFingerprints,
  {
    couponId,
    mustHoldUse,
    hasOffer,
    cardCents,
    pixDiscountCents,
    placedSaleIds,
    isRepurchase,
    hasEmail,
  }: EarlierSaleQuery,
): SQL {
  // Without an e-mail there is no warning about owned products, so after five minutes another order is intentional.
  const isRecentlyPaid = sql`(${sales.status} = 'completed' and (${hasEmail} or ${sales.createdAt} > now() - interval '5 minutes'))`;
  const isPaidMatch = !isRepurchase
    ? isRecentlyPaid
    : placedSaleIds.length > 0
      ? and(isRecentlyPaid, notInArray(sales.id, placedSaleIds))
      : undefined;
  const same = and(
    eq(sales.sellerId, sellerId),
    inArray(sales.orderKey, order),
    or(inArray(sales.status, ["pending", "failed"]), isPaidMatch),
    // Another coupon may have lowered the price as much, and have ended: that sale could not be paid any more.
    couponId ? eq(sales.couponId, couponId) : isNull(sales.couponId),
    mustHoldUse && couponId ? holdsUse(couponUses) : undefined,
    mustHoldUse && hasOffer ? holdsUse(offerUses) : undefined,
    eq(cardTotal, cardCents),
    eq(sales.pixDiscountCents, pixDiscountCents),
  );
  const newest = (condition: SQL, within: SQL) =>
    tx
      .select({ id: sales.id })
      .from(sales)
      .where(and(same, condition, gt(sales.createdAt, sql`now() - ${within}`)))
      .orderBy(desc(sales.createdAt))
      .limit(1);
  const submitted = hasBrowserId ? sql`interval '1 day'` : sql`interval '5 minutes'`;
  const found = [
    newest(inArray(sales.id, placedSaleIds), sql`interval '1 day'`),
    newest(inArray(sales.submissionKey, submission), submitted),
  ];
  return sql`coalesce(${sql.join(
    found.map((one) => sql`(${one})`),
    sql`, `,
  )})`;
}

/**
 * Whether this e-mail has paid for this product before, in this browser: `placedSaleIds` come from its sealed cookie.
 * Other browsers get false without a query, so that nobody can find out what an address bought.
 */
export async function ownsProduct(
  productId: number,
  email: string | null,
  placedSaleIds: string[],
): Promise<boolean> {
  if (!email || placedSaleIds.length === 0) return false;
  const [bought] = await db
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        inArray(sales.id, placedSaleIds),
        eq(sales.productId, productId),
        eq(sales.customerEmail, email),
        inArray(sales.status, ["completed", "disputed"]),
        isNull(sales.parentSaleId),
      ),
    )
    .limit(1);
  return bought !== undefined;
}
