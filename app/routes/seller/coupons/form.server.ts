import type { OwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { listCouponOffers } from "#app/domain/coupon/list-coupon-offers.server.ts";
import { type CouponProduct, listCouponProducts } from "#app/domain/coupon/list-coupon-products.server.ts";
import { toDateTimeField } from "#app/kit/dates.ts";
import { toMoneyField } from "#app/kit/money.ts";
import type { CouponFormData } from "#app/routes/seller/coupons/form.tsx";

/** The products and offers that a coupon's form offers. */
export async function loadChoices(sellerId: string) {
  const [products, offers] = await Promise.all([listCouponProducts(sellerId), listCouponOffers(sellerId)]);
  const offerChoices = offers.map(({ id, name, productName }) => ({ id, name: `${productName}: ${name}` }));
  return { products, choices: products.map(toChoice), offerChoices };
}

function toChoice({ id, name, active }: CouponProduct) {
  return { id: String(id), name: active ? name : `${name} (inativo)` };
}

export const NEW_COUPON: CouponFormData = {
  code: "",
  discount_kind: "percent",
  discount: "",
  includes_bumps: false,
  scope: "all",
  products: [],
  offers_scope: "all",
  offer_ids: [],
  starts_at: "",
  ends_at: "",
  max_uses: "",
  max_uses_per_buyer: "",
  minimum: "",
  first_purchase_only: false,
  is_active: true,
};

/** The initial values of an existing coupon's form. */
export function couponDefaults(coupon: OwnCoupon): CouponFormData {
  return {
    code: coupon.code,
    discount_kind: coupon.percent === null ? "amount" : "percent",
    discount: coupon.percent === null ? toMoneyField(coupon.amountCents) : String(coupon.percent),
    includes_bumps: coupon.includesBumps,
    scope: coupon.productIds === null ? "all" : "some",
    products: (coupon.productIds ?? []).map(String),
    offers_scope: coupon.offerIds === null ? "all" : "some",
    offer_ids: coupon.offerIds ?? [],
    starts_at: toDateTimeField(coupon.startsAt),
    ends_at: toDateTimeField(coupon.endsAt),
    max_uses: toText(coupon.maxUses),
    max_uses_per_buyer: toText(coupon.maxUsesPerBuyer),
    minimum: toMoneyField(coupon.minimumCents),
    first_purchase_only: coupon.isFirstPurchaseOnly,
    is_active: coupon.deactivatedAt === null,
  };
}

const toText = (count: number | null) => (count === null ? "" : String(count));
