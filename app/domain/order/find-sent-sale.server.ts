import { and, desc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { couponUses, offerUses } from "#app/db/schema/uses.server.ts";
import type { ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { hasPayable } from "#app/domain/charge/conditions.server.ts";
import { holdsUse } from "#app/domain/coupon/reserve-coupon.server.ts";
import type { Order } from "#app/domain/order/order.ts";
import { fingerprintsOf } from "#app/domain/order/order-fingerprint.server.ts";
import { OrderRefusal, type OrderRule } from "#app/domain/order/order-refusal.ts";
import { cardTotal, pixTotal } from "#app/domain/order/payable-order.server.ts";

/** What a sale keeps that was placed before. */
const CHANGED: OrderRule[] = ["price", "bump-gone"];

/** Another charge can be made, since its coupon and its offer, if it has them, still count. */
const holdsUses = and(
  or(isNull(sales.couponId), holdsUse(couponUses)),
  or(isNull(sales.offerId), holdsUse(offerUses)),
);

/**
 * The sale of an order that is refused since its price rose, its price tier ended or a bump is not for sale any more, where the same
 * browser placed it before, as in `selectEarlierSale`, with the same coupon and at the total that its buyer saw, and it was paid or
 * can still be paid.
 * @param error of the order; null is returned for any other one
 */
export async function findSentSale(
  error: unknown,
  order: Order,
  product: ProductForSale,
): Promise<string | null> {
  const { seenCents, seenOfferId, customer, buyerContext, isRepurchase } = order;
  const isChanged = error instanceof OrderRefusal && CHANGED.includes(error.rule);
  if (!isChanged || seenCents === null) return null;
  const seenProduct = { ...product, offer: seenOfferId ? { id: seenOfferId } : product.offer };
  const bumps = [...new Set(order.bumpIds)].map((id) => ({ id }));
  const { order: orderKeys, submission, hasBrowserId } = fingerprintsOf(order, seenProduct, bumps);
  const isPaidMatch = !isRepurchase && customer.email !== null;
  const isYounger = (age: "1 day" | "5 minutes") => gt(sales.createdAt, sql`now() - ${age}::interval`);
  const [sent] = await db
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        eq(sales.sellerId, product.sellerId),
        inArray(sales.orderKey, orderKeys),
        inArray(sales.status, isPaidMatch ? ["pending", "failed", "completed"] : ["pending", "failed"]),
        order.coupon ? eq(sales.couponId, order.coupon.id) : isNull(sales.couponId),
        or(
          eq(sales.status, "completed"),
          hasPayable,
          error.rule === "price" && !order.overRefusal ? holdsUses : undefined,
        ),
        // Under another e-mail by now, it is not what this one names.
        isNull(sales.emailCorrectedAt),
        eq(order.isCard ? cardTotal : pixTotal, seenCents),
        or(
          and(inArray(sales.id, buyerContext.placedSaleIds), isYounger("1 day")),
          and(inArray(sales.submissionKey, submission), isYounger(hasBrowserId ? "1 day" : "5 minutes")),
        ),
      ),
    )
    .orderBy(desc(sales.createdAt))
    .limit(1);
  return sent?.id ?? null;
}
