import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import type { Coupon } from "#app/domain/coupon/coupon.ts";

/** A seller's coupons with these normalized codes that are neither deactivated nor deleted. */
export async function findCoupons(sellerId: string, codes: string[], tx: Db = db): Promise<Coupon[]> {
  return tx
    .select({
      id: coupons.id,
      code: coupons.code,
      percent: coupons.percent,
      amountCents: coupons.amountCents,
      includesBumps: coupons.includesBumps,
      productIds: coupons.productIds,
      offerIds: coupons.offerIds,
      startsAt: coupons.startsAt,
      endsAt: coupons.endsAt,
      minimumCents: coupons.minimumCents,
      isPerBuyer: sql<boolean>`${coupons.maxUsesPerBuyer} is not null`,
      isLimited: sql<boolean>`${coupons.maxUses} is not null`,
      isUsedUp: sql<boolean>`coalesce(${coupons.uses} >= ${coupons.maxUses}, false)`,
    })
    .from(coupons)
    .where(
      and(
        eq(coupons.sellerId, sellerId),
        inArray(coupons.code, codes),
        isNull(coupons.archivedAt),
        isNull(coupons.deactivatedAt),
      ),
    );
}
