import {
  type Coupon,
  type CouponProblem,
  findCouponProblem,
  unknownCoupon,
} from "#app/domain/coupon/coupon.ts";
import { findCoupons } from "#app/domain/coupon/find-coupons.server.ts";
import { quote } from "#app/domain/pricing/quote.ts";

/** Letters without accents, digits, hyphens and underscores. */
export const COUPON_CODE_PATTERN = /^[A-Z0-9_-]{3,32}$/;

/** A code as it is stored and compared: upper case, without accents and blanks. Any text is accepted. */
export function normalizeCouponCode(typed: string): string {
  return typed
    .slice(0, 200)
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s]/g, "")
    .toUpperCase();
}

/**
 * The codes of an order: `typed` in the form's field (null where the form has none, empty where the buyer removed it), and
 * `linked` in the page's address.
 */
export type CouponCodes = { typed: string | null; linked: string | null };

/** The coupon that counts, why the typed one does not, and a note where the other one was better. */
export type CouponChoice = { coupon: Coupon | null; problem: CouponProblem | null; note: string | null };

export const NO_COUPON: CouponChoice = { coupon: null, problem: null, note: null };

type Product = { id: number; sellerId: string; priceCents: number; offer: { id: string } | null };

/**
 * One coupon counts per order: of a typed and a linked one, the one that lowers the product's price more.
 * @param isOrder whether an order is being placed: its use is then reserved with it (`reserveCoupon`), and an order that
 * is sent twice has used the coupon itself; `quantity`: how many units of the product it has
 */
export async function chooseCoupon(
  product: Product,
  codes: CouponCodes,
  { quantity, isOrder = false }: { quantity: number; isOrder?: boolean },
): Promise<CouponChoice> {
  const typed = normalizeCouponCode(codes.typed ?? "");
  const linked = codes.typed === "" ? "" : normalizeCouponCode(codes.linked ?? "");
  const candidates = [...new Set([typed, linked])].filter((code) => code !== "");
  if (candidates.length === 0) return NO_COUPON;
  const found = await findCoupons(product.sellerId, candidates);
  const judged = candidates.map((code) => judge(product, code, found, quantity));
  const [first, second] = judged;
  const [one, other] = judged.flatMap(({ coupon, problem }) => (problem || !coupon ? [] : [coupon]));
  if (one && other) {
    const [better, worse] = priceWith(product, other) < priceWith(product, one) ? [other, one] : [one, other];
    const note = `Só um cupom vale por pedido. Ficou o ${better.code}, que dá mais desconto do que o ${worse.code}.`;
    return { coupon: better, problem: null, note };
  }
  const coupon = one ?? null;
  const { problem } = first!;
  if (!problem) return { coupon, problem: null, note: null };
  if (isOrder && !coupon && problem.rule === "coupon-used-up")
    return { ...first!, problem: null, note: null };
  if (!second || !coupon) return { coupon, problem, note: null };
  const message = `${problem.message} Continua valendo o ${coupon.code}.`;
  return { coupon, problem: { ...problem, message }, note: null };
}

function judge(
  product: Product,
  code: string,
  found: Coupon[],
  quantity: number,
): { coupon: Coupon | null; problem: CouponProblem | null } {
  const coupon = found.find((one) => one.code === code) ?? null;
  return {
    coupon,
    problem: coupon ? findCouponProblem(coupon, { ...product, quantity }) : unknownCoupon(code),
  };
}

function priceWith({ priceCents }: Product, coupon: Coupon): number {
  return quote({ priceCents, bumps: [] }, [], coupon).totalCents;
}
