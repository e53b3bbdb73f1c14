import { type CouponState, couponState } from "#app/domain/coupon/coupon-state.ts";
import type { OwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import type { CouponProduct } from "#app/domain/coupon/list-coupon-products.server.ts";
import { capitalize } from "#app/kit/clean-text.ts";
import { describePeriod, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** A coupon in the list. `products` are those of the page's coupons that are for some products only. */
export function showCoupon(coupon: OwnCoupon, products: CouponProduct[], now: Date) {
  const { id, code, uses, maxUses } = coupon;
  const own = coupon.productIds && products.filter((one) => coupon.productIds!.includes(one.id));
  const [only] = own?.length === 1 ? own : [];
  return {
    id,
    code,
    discount: describeDiscount(coupon),
    products: own ? describeProducts(own) : "Todos os produtos",
    period: describePeriod(coupon),
    uses: maxUses === null ? `${uses}, sem limite` : `${uses} de ${maxUses}`,
    conditions: describeConditions(coupon),
    active: coupon.deactivatedAt === null,
    state: showState(coupon, now),
    /** The checkout with this coupon, where it is for one product. */
    link: only?.active ? couponLink(only, code) : null,
  };
}

/** A product's checkout with a coupon applied: an absolute address. */
export function couponLink(product: CouponProduct, code: string): string {
  return env.APP_URL + paths.couponCheckout(product, code);
}

const STATES: Record<CouponState, { label: string; tone: BadgeTone }> = {
  active: { label: "Ativo", tone: "success" },
  paused: { label: "Pausado", tone: "neutral" },
  scheduled: { label: "Começa em", tone: "info" },
  expired: { label: "Venceu", tone: "neutral" },
  used_up: { label: "Esgotou", tone: "warning" },
};

export function showState(coupon: OwnCoupon, now: Date) {
  const state = couponState(coupon, now);
  const { label, tone } = STATES[state];
  return { tone, label: state === "scheduled" ? `${label} ${formatDateTime(coupon.startsAt!)}` : label };
}

function describeDiscount({ percent, amountCents }: OwnCoupon): string {
  return `${percent === null ? formatMoney(amountCents!) : `${percent}%`} de desconto`;
}

function describeProducts(own: CouponProduct[]): string {
  if (own.length === 0) return "Nenhum: os produtos dele foram apagados";
  return own.length === 1 ? own[0]!.name : `${own.length} produtos`;
}

function describeConditions(coupon: OwnCoupon): string {
  const { includesBumps, minimumCents, maxUsesPerBuyer, isFirstPurchaseOnly } = coupon;
  const all = [
    includesBumps && "também nos order bumps",
    minimumCents !== null && `preço a partir de ${formatMoney(minimumCents)}`,
    maxUsesPerBuyer !== null &&
      (maxUsesPerBuyer === 1 ? "1 vez por pessoa" : `${maxUsesPerBuyer} vezes por pessoa`),
    isFirstPurchaseOnly && "só na primeira compra",
  ];
  return capitalize(all.filter(Boolean).join(" · "));
}
