import { and, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { findCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { insertCoupon, MAX_COUPONS } from "#app/domain/coupon/save-coupon.server.ts";

/**
 * Copies a coupon; the copy is paused, unused, and has a code of its own. With `since` one that was made since then is the answer:
 * the form was sent again.
 * @throws Refusal not-found; conflict beyond `MAX_COUPONS`
 */
export async function duplicateCoupon(
  sellerId: string,
  couponId: string,
  since?: Date,
): Promise<{ id: string; code: string }> {
  return withSellerLock(sellerId, async (tx) => {
    const { id: _, createdAt, updatedAt, uses, ...fields } = await findCoupon(sellerId, couponId, tx);
    const stem = fields.code.replace(/-COPIA(-\d+)?$/, "").slice(0, 22);
    const [made] = since ? await findCopy(tx, { sellerId, stem }, since) : [];
    if (made) return made;
    const code = await findFreeCode(tx, sellerId, stem);
    const id = await insertCoupon(tx, { ...fields, code, deactivatedAt: new Date() });
    return { id, code };
  });
}

/** A copy of such a coupon that was made since a moment. */
function findCopy(tx: Tx, { sellerId, stem }: Record<"sellerId" | "stem", string>, since: Date) {
  const isCopy = sql`starts_with(${coupons.code}, ${`${stem}-COPIA`})`;
  return tx
    .select({ id: coupons.id, code: coupons.code })
    .from(coupons)
    .where(
      and(eq(coupons.sellerId, sellerId), isNull(coupons.archivedAt), gte(coupons.createdAt, since), isCopy),
    )
    .limit(1);
}

/** `NATAL` → `NATAL-COPIA`, or `NATAL-COPIA-2` where that is in use, and so on. The seller's lock is held. */
async function findFreeCode(tx: Tx, sellerId: string, stem: string): Promise<string> {
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
