import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";

/** More than anybody picks from a list. */
const MAX_CHOICES = 300;

/** A seller's coupons by code, to filter by: those not deleted. */
export function listCouponChoices(sellerId: string): Promise<{ id: string; code: string }[]> {
  return db
    .select({ id: coupons.id, code: coupons.code })
    .from(coupons)
    .where(and(eq(coupons.sellerId, sellerId), isNull(coupons.archivedAt)))
    .orderBy(asc(coupons.code))
    .limit(MAX_CHOICES);
}
