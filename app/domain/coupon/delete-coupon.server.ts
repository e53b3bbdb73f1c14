import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { couponNotFound, isOwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";

/**
 * Deletes a coupon, and its code is free again; the row stays for its sales and their uses.
 * @returns its code @throws Refusal not-found
 */
export async function deleteCoupon(sellerId: string, couponId: string): Promise<string> {
  return db.transaction(async (tx) => {
    const now = new Date();
    const [row] = await tx
      .update(coupons)
      .set({ archivedAt: now, updatedAt: now })
      .where(isOwnCoupon(sellerId, couponId))
      .returning({ code: coupons.code });
    if (!row) throw couponNotFound();
    await notify(tx, "storefront", `seller:${sellerId}`);
    return row.code;
  });
}
