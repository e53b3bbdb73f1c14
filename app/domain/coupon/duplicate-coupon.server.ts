import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { findCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { insertCoupon, MAX_COUPONS } from "#app/domain/coupon/save-coupon.server.ts";

/**
 * Copies a coupon; the copy is paused, unused, and has a code of its own.
 * @throws Refusal not-found; conflict beyond `MAX_COUPONS`
 */
export async function duplicateCoupon(
  sellerId: string,
  couponId: string,
): Promise<{ id: string; code: string }> {
  return withSellerLock(sellerId, async (tx) => {
    const { id: _, createdAt, updatedAt, uses, ...fields } = await findCoupon(sellerId, couponId, tx);
    const code = await findFreeCode(tx, sellerId, fields.code);
    const id = await insertCoupon(tx, { ...fields, code, deactivatedAt: new Date() });
    return { id, code };
  });
}

/** `NATAL` → `NATAL-COPIA`, or `NATAL-COPIA-2` where that is in use, and so on. The seller's lock is held. */
async function findFreeCode(tx: Tx, sellerId: string, code: string): Promise<string> {
  const stem = code.replace(/-COPIA(-\d+)?$/, "").slice(0, 22);
  // One more than there can be coupons.
  const candidates = Array.from(
    { length: MAX_COUPONS + 1 },
    (_, i) => `${stem}-COPIA${i === 0 ? "" : `-${i + 1}`}`,
  );
  const used = await tx
    .select({ code: coupons.code })
    .from(coupons)
    .where(
      and(eq(coupons.sellerId, sellerId), isNull(coupons.archivedAt), inArray(coupons.code, candidates)),
    );
  const usedCodes = new Set(used.map((row) => row.code));
  return candidates.find((candidate) => !usedCodes.has(candidate))!;
}
