import type { Discount } from "#app/domain/pricing/quote.ts";
import { formatDayAndTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

/** A seller's active coupon. Money in cents. */
export type Coupon = Discount & {
  id: string;
  code: string;
  /** Null: all products. */
  productIds: number[] | null;
  /** Null: all, and the products' own prices. */
  offerIds: string[] | null;
  startsAt: Date | null;
  endsAt: Date | null;
  minimumCents: number | null;
  /** Whether uses per buyer are limited, as they are by a first purchase. */
  isPerBuyer: boolean;
  /** Whether all uses together are limited, and whether none is left. */
  isLimited: boolean;
  isUsedUp: boolean;
};

/** The reasons why a coupon lowers no price. Programs know a refusal by them. */
export const COUPON_RULES = [
  "coupon-unknown",
  "coupon-early",
  "coupon-expired",
  "coupon-used-up",
  "coupon-other-product",
  "coupon-minimum",
  "coupon-not-valid",
] as const;
export type CouponRule = (typeof COUPON_RULES)[number];

/** Why a coupon lowers no price here; the message is the buyer's. */
export type CouponProblem = { rule: CouponRule; message: string };

/** What depends on the buyer is one answer, so that nobody learns what an e-mail address or a CPF has bought. */
export const NOT_FOR_THIS_PURCHASE: CouponProblem = {
  rule: "coupon-not-valid",
  message: "Este cupom não vale para esta compra.",
};

export const unknownCoupon = (code: string): CouponProblem => ({
  rule: "coupon-unknown",
  message: `O cupom ${code.slice(0, 32)} não existe. Confira o código.`,
});

/** Why a coupon is not valid for a product now, whoever buys it; null where it is. */
export function findCouponProblem(
  coupon: Coupon,
  product: { id: number; priceCents: number; quantity?: number; offer: { id: string } | null },
  now = new Date(),
): CouponProblem | null {
  const { code, startsAt, endsAt, productIds, offerIds, minimumCents } = coupon;
  const { id, offer, quantity = 1 } = product;
  if (startsAt && startsAt > now)
    return {
      rule: "coupon-early",
      message: `O cupom ${code} ainda não vale: começa em ${formatDayAndTime(startsAt)}.`,
    };
  if (endsAt && endsAt <= now)
    return { rule: "coupon-expired", message: `O cupom ${code} venceu em ${formatDayAndTime(endsAt)}.` };
  if (productIds && !productIds.includes(id))
    return { rule: "coupon-other-product", message: `O cupom ${code} não vale para este produto.` };
  if (offerIds && !(offer && offerIds.includes(offer.id)))
    return { rule: "coupon-other-product", message: `O cupom ${code} não vale para esta oferta.` };
  if (minimumCents !== null && product.priceCents * quantity < minimumCents)
    return {
      rule: "coupon-minimum",
      message: `O cupom ${code} vale a partir de ${formatMoney(minimumCents)}.`,
    };
  if (coupon.isUsedUp) return { rule: "coupon-used-up", message: `O cupom ${code} esgotou.` };
  return null;
}
