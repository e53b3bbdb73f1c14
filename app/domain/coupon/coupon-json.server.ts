import { versionOf } from "#app/db/version.server.ts";
import { couponState } from "#app/domain/coupon/coupon-state.ts";
import type { OwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { toReaisOrNull } from "#app/kit/money.ts";

/** A coupon as `/api` shows it to its seller. Its uses are no part of the version: a sale makes no form stale. */
export function toCouponJson(coupon: OwnCoupon) {
  const fields = toCouponFields(coupon);
  return { ...fields, state: couponState(coupon), uses: coupon.uses, version: versionOf(fields) };
}

/** The version of a coupon's form. */
export function couponVersion(coupon: OwnCoupon): string {
  return versionOf(toCouponFields(coupon));
}

function toCouponFields(coupon: OwnCoupon) {
  return {
    id: coupon.id,
    code: coupon.code,
    percent: coupon.percent,
    amount: toReaisOrNull(coupon.amountCents),
    includes_bumps: coupon.includesBumps,
    product_ids: coupon.productIds,
    offer_ids: coupon.offerIds,
    starts_at: coupon.startsAt,
    ends_at: coupon.endsAt,
    max_uses: coupon.maxUses,
    max_uses_per_buyer: coupon.maxUsesPerBuyer,
    minimum: toReaisOrNull(coupon.minimumCents),
    first_purchase_only: coupon.isFirstPurchaseOnly,
    is_active: coupon.deactivatedAt === null,
    created_at: coupon.createdAt,
  };
}
