import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import { couponVersion } from "#app/domain/coupon/coupon-json.server.ts";
import { couponNotFound, isOwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";

/**
 * Deletes a coupon, and its code is free again; the row stays for its sales and their uses.
 * @param version the one that the seller saw; without it any is deleted
 * @returns its code @throws Refusal not-found; conflict where the coupon was saved since `version`
 */
export async function deleteCoupon(sellerId: string, couponId: string, version?: string): Promise<string> {
  return db.transaction(async (tx) => {
    const isOwn = isOwnCoupon(sellerId, couponId);
    const [coupon] = await tx.select().from(coupons).where(isOwn).for("no key update");
    if (!coupon) throw couponNotFound();
    rejectStale(version, couponVersion(coupon));
    const now = new Date();
    await tx.update(coupons).set({ archivedAt: now, updatedAt: now }).where(isOwn);
    await notify(tx, "storefront", `seller:${sellerId}`);
    return coupon.code;
  });
}
