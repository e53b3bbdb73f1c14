import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { deactivatedAtOf } from "#app/db/conditions.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { requireOwnProducts } from "#app/domain/catalog/is-own-product.server.ts";
import type { CouponFields } from "#app/domain/coupon/coupon-form.server.ts";
import { couponVersion } from "#app/domain/coupon/coupon-json.server.ts";
import { couponNotFound, isOwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { requireOwnOffers } from "#app/domain/coupon/list-coupon-offers.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** More than a shop uses, and few enough to be counted for each new one. */
export const MAX_COUPONS = 500;

/**
 * Creates a coupon; every process drops its cached pages. @returns its id
 * @throws Refusal conflict at `code`, or beyond `MAX_COUPONS`; not-found for products and offers that are not the seller's
 */
export async function createCoupon(
  sellerId: string,
  { active = true, ...columns }: CouponFields,
): Promise<string> {
  return orCodeConflict(
    withSellerLock(sellerId, async (tx) => {
      await requireOwnProducts(tx, sellerId, columns.productIds);
      await requireOwnOffers(tx, sellerId, columns);
      return insertCoupon(tx, { ...columns, sellerId, deactivatedAt: active ? null : new Date() });
    }),
  );
}

/** Under the seller's lock. @returns the row's id @throws Refusal conflict beyond `MAX_COUPONS` */
export async function insertCoupon(tx: Tx, row: typeof coupons.$inferInsert): Promise<string> {
  const [{ n } = { n: 0 }] = await tx
    .select({ n: count() })
    .from(coupons)
    .where(and(eq(coupons.sellerId, row.sellerId), isNull(coupons.archivedAt)));
  if (n >= MAX_COUPONS)
    throw new Refusal("conflict", `Você já tem ${MAX_COUPONS} cupons: apague um antes de criar outro.`);
  const [inserted] = await tx.insert(coupons).values(row).returning({ id: coupons.id });
  await notify(tx, "storefront", `seller:${row.sellerId}`);
  return inserted!.id;
}

/**
 * Replaces a coupon's fields; its uses stay. `version` is the one that the seller saw (`couponVersion`); without it the
 * update is unconditional.
 * @throws Refusal not-found (coupon, products, or offers); conflict at `code`, or where the coupon was saved since
 */
export async function updateCoupon(
  sellerId: string,
  couponId: string,
  { active, ...columns }: CouponFields,
  version?: string,
): Promise<void> {
  await orCodeConflict(
    db.transaction(async (tx) => {
      const [coupon] = await tx
        .select()
        .from(coupons)
        .where(isOwnCoupon(sellerId, couponId))
        .for("no key update");
      if (!coupon) throw couponNotFound();
      rejectStale(version, couponVersion(coupon));
      // A product that was deleted since it was chosen may stay in the list.
      const added = columns.productIds?.filter((id) => !coupon.productIds?.includes(id)) ?? null;
      await requireOwnProducts(tx, sellerId, added);
      await requireOwnOffers(tx, sellerId, columns, coupon.offerIds);
      await tx
        .update(coupons)
        .set({
          ...columns,
          ...(active === undefined ? {} : { deactivatedAt: deactivatedAtOf(coupons, active) }),
          updatedAt: new Date(),
        })
        .where(isOwnCoupon(sellerId, couponId));
      await notify(tx, "storefront", `seller:${sellerId}`);
    }),
  );
}

/** Activates or pauses a coupon. @returns its code @throws Refusal not-found */
export async function setCouponActive(sellerId: string, couponId: string, active: boolean): Promise<string> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(coupons)
      .set({ deactivatedAt: deactivatedAtOf(coupons, active), updatedAt: new Date() })
      .where(isOwnCoupon(sellerId, couponId))
      .returning({ code: coupons.code });
    if (!row) throw couponNotFound();
    await notify(tx, "storefront", `seller:${sellerId}`);
    return row.code;
  });
}

async function orCodeConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, "coupons_code_key")) throw error;
    throw new Refusal("conflict", "Você já tem um cupom com este código. Escolha outro.", "code");
  }
}
