import { and, isNull, type SQL } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { notFound, type Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A coupon for its seller. Money in cents. */
export type OwnCoupon = typeof coupons.$inferSelect;

/** The refusal for a coupon that does not exist, was deleted, or is somebody else's. */
export function couponNotFound(): Refusal {
  return notFound("Cupom não encontrado");
}

/** The condition for a seller's coupon with this id, unless it was deleted. @throws Refusal not-found if it is no id */
export function isOwnCoupon(sellerId: string, couponId: string): SQL | undefined {
  if (!isUuid(couponId)) throw couponNotFound();
  return and(ownById(coupons, sellerId, couponId), isNull(coupons.archivedAt));
}

/** A seller's coupon. @throws Refusal not-found */
export async function findCoupon(sellerId: string, couponId: string, tx: Db = db): Promise<OwnCoupon> {
  const [coupon] = await tx.select().from(coupons).where(isOwnCoupon(sellerId, couponId));
  if (!coupon) throw couponNotFound();
  return coupon;
}
