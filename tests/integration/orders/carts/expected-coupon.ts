import type { Cart, CartCoupon, CartOffer, Tag } from "#tests/integration/orders/carts/cart.ts";
import { type CartNames, couponCodes, reais } from "#tests/integration/orders/carts/names.ts";

/** What the units and bumps of one order may come to before discounts: R$ 21 million. */
export const MOST = 2_100_000_000;

/** A cart with the offer whose price counts; null for the product's own. */
export type CartAt = { cart: Cart; names: CartNames; offer: CartOffer | null };

export const unitTag = ({ cart, offer }: CartAt): Tag => offer ?? cart.product;

/** What is left of a price: half a cent is the buyer's. */
export function afterCoupon(cents: number, coupon: CartCoupon | null): number {
  if (!coupon) return cents;
  if (coupon.percent === null) return cents > coupon.amountCents! ? cents - coupon.amountCents! : 0;
  return afterPercent(cents, coupon.percent);
}

export const afterPercent = (cents: number, percent: number) =>
  Math.floor((cents * (100 - percent) + 49) / 100);

export const bumpAfterCoupon = (cents: number, coupon: CartCoupon | null) =>
  coupon?.withBumps ? afterCoupon(cents, coupon) : cents;

export type Choice = { coupon: CartCoupon | null; code: string | null; problem: string | null };

/** The typed coupon and the one of the address: the better one counts, and a typed one that is not valid is named. */
export function chooseCoupon(
  at: CartAt,
  { typed, linked }: Record<"typed" | "linked", CartCoupon | null>,
  quantity: number,
): Choice {
  const codes = couponCodes(at.names);
  const judged = [
    ...(typed ? [{ coupon: typed, code: codes.typed }] : []),
    ...(linked ? [{ coupon: linked, code: codes.linked }] : []),
  ].map((one) => ({ ...one, problem: problemOf(at, one, quantity) }));
  const [first] = judged;
  if (!first) return { coupon: null, code: null, problem: null };
  const unit = unitTag(at).cents;
  const best = judged
    .filter(({ problem }) => problem === null)
    .reduce<(typeof judged)[number] | null>((so, one) => {
      if (!so) return one;
      const more = afterCoupon(unit, so.coupon) - afterCoupon(unit, one.coupon);
      return more > 0 || (more === 0 && one.coupon.withBumps && !so.coupon.withBumps) ? one : so;
    }, null);
  const problem = first.problem && best ? `${first.problem} Continua valendo o ${best.code}.` : first.problem;
  return { coupon: best?.coupon ?? null, code: best?.code ?? null, problem };
}

function problemOf(
  at: CartAt,
  { coupon, code }: { coupon: CartCoupon; code: string },
  quantity: number,
): string | null {
  if (coupon.isFor === "nothing: unknown") return `O cupom ${code} não existe. Confira o código.`;
  if (coupon.isFor === "another product") return `O cupom ${code} não vale para este produto.`;
  if (coupon.isFor === "another offer" || (coupon.isFor === "this offer" && !at.offer))
    return `O cupom ${code} não vale para esta oferta.`;
  const least = minimumOf(at.cart, coupon);
  if (least !== null && unitTag(at).cents * quantity < least)
    return `O cupom ${code} vale a partir de ${reais(least)}.`;
  return null;
}

/** A coupon's least price: what all units of the order come to, or a cent more. */
export function minimumOf(cart: Cart, { minimum }: CartCoupon): number | null {
  if (minimum === "none") return null;
  const offer = cart.offer?.state === "open" ? cart.offer : null;
  const units = cart.quantity === "" ? (offer?.min ?? 1) : Number(cart.quantity);
  const all = Math.min(MOST, (offer ?? cart.product).cents * Math.max(1, units));
  return Math.max(1, minimum === "reached to the cent" ? all : all + 1);
}
