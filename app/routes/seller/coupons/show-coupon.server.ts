import { type CouponState, couponState } from "#app/domain/coupon/coupon-state.ts";
import type { OwnCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import type { CouponOffer } from "#app/domain/coupon/list-coupon-offers.server.ts";
import type { CouponProduct } from "#app/domain/coupon/list-coupon-products.server.ts";
import { offerState } from "#app/domain/offer/offer-state.ts";
import { capitalize } from "#app/kit/clean-text.ts";
import { describePeriod, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** What a coupon may be for; `products` and `offers` are those of the page's coupons, or all. */
type Choices = { products: CouponProduct[]; offers: CouponOffer[] };

/** A coupon in the list. */
export function showCoupon(coupon: OwnCoupon, choices: Choices, now: Date) {
  const { id, code, uses, maxUses } = coupon;
  const own = coupon.offerIds || coupon.productIds ? listLinks(coupon, choices) : null;
  const [only] = own?.length === 1 ? own : [];
  return {
    id,
    code,
    discount: describeDiscount(coupon),
    products: own ? describeOwn(coupon, own) : "Todos os produtos",
    period: describePeriod(coupon),
    uses: maxUses === null ? `${uses}, sem limite` : `${uses} de ${maxUses}`,
    conditions: describeConditions(coupon),
    active: coupon.deactivatedAt === null,
    state: showState(coupon, now),
    /** The checkout with this coupon, where it is for one product or offer. */
    link: only?.active ? only.link : null,
  };
}

/**
 * Checkouts with a coupon applied, as absolute addresses: of its offers, where it is for some, else of its products. `active`:
 * sold now; `begins`: an offer whose period begins later.
 */
export function listLinks({ code, offerIds, productIds }: OwnCoupon, { products, offers }: Choices) {
  const toLink = (checkout: { id: number; checkoutSlug: string | null }) =>
    env.APP_URL + paths.couponCheckout(checkout, code);
  if (offerIds)
    return offers
      .filter(({ id }) => offerIds.includes(id))
      .map((offer) => {
        const { id, name, slug, productId, productName, startsAt } = offer;
        const state = offerState(offer);
        return {
          ...{ id, name: `${productName}: ${name}`, active: state === "active" },
          begins: state === "scheduled" ? formatDateTime(startsAt!) : null,
          link: toLink({ id: productId, checkoutSlug: slug }),
        };
      });
  return products
    .filter(({ id }) => productIds?.includes(id) ?? true)
    .map((one) => ({
      ...{ id: String(one.id), name: one.name, active: one.active },
      begins: null,
      link: toLink(one),
    }));
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

function describeOwn({ offerIds }: OwnCoupon, own: { name: string }[]): string {
  if (own.length === 1) return own[0]!.name;
  if (own.length > 1) return `${own.length} ${offerIds ? "ofertas" : "produtos"}`;
  return offerIds ? "Nenhuma: as ofertas dele foram apagadas" : "Nenhum: os produtos dele foram apagados";
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
