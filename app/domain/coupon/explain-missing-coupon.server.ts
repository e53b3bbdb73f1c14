import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { type CouponProblem, unknownCoupon } from "#app/domain/coupon/coupon.ts";

/**
 * Why `findCoupons` finds no coupon with a code, for its seller: it is paused, or there is none. Buyers read of both that there is
 * none.
 */
export async function explainMissingCoupon(sellerId: string, code: string): Promise<CouponProblem> {
  const unknown = unknownCoupon(code);
  const [paused] = await db
    .select({ code: coupons.code })
    .from(coupons)
    .where(and(eq(coupons.sellerId, sellerId), eq(coupons.code, code), isNull(coupons.archivedAt)));
  return paused ? { ...unknown, message: `O cupom ${paused.code} está pausado.` } : unknown;
}
