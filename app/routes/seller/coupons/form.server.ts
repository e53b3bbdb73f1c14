import type { OwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { listCouponOffers } from "#app/domain/coupon/list-coupon-offers.server.ts";
import { type CouponProduct, listCouponProducts } from "#app/domain/coupon/list-coupon-products.server.ts";
import { toDateTimeField } from "#app/kit/dates.ts";
import { toMoneyField } from "#app/kit/money.ts";
import { COUPON_FIELDS, DISCOUNT_KINDS } from "#app/routes/seller/coupons/field-labels.ts";
import type { CouponFormData } from "#app/routes/seller/coupons/form.tsx";
import { type ComparedLabels, namesById } from "#app/server/forms/conflict.server.ts";

/** The products and offers that a coupon's form offers. */
export async function loadChoices(sellerId: string) {
  const [products, offers] = await Promise.all([listCouponProducts(sellerId), listCouponOffers(sellerId)]);
  const offerChoices = offers.map(({ id, name, productName }) => ({ id, name: `${productName}: ${name}` }));
  return { products, offers, choices: products.map(toChoice), offerChoices };
}

function toChoice({ id, name, active }: CouponProduct) {
  return { id: String(id), name: active ? name : `${name} (inativo)` };
}

/** The fields that are compared where somebody else saved meanwhile. */
export async function comparedFields(sellerId: string): Promise<ComparedLabels> {
  const { choices, offerChoices } = await loadChoices(sellerId);
  return {
    ...COUPON_FIELDS,
    discount_kind: { label: "Tipo de desconto", texts: Object.fromEntries(DISCOUNT_KINDS) },
    includes_bumps: "Desconto nos order bumps",
    scope: { label: "Produtos", texts: { all: "Todos", some: "Só os marcados" } },
    products: { label: "Produtos marcados", texts: namesById(choices) },
    offers_scope: { label: "Ofertas", texts: { all: "Todas", some: "Só as marcadas" } },
    offer_ids: { label: "Ofertas marcadas", texts: namesById(offerChoices) },
    first_purchase_only: "Só na primeira compra",
    is_active: "Cupom ativo",
  };
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
