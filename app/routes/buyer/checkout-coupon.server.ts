import { LIMITED_AGE } from "#app/domain/catalog/offers-for-sale.server.ts";
import {
  type CouponChoice,
  type CouponCodes,
  chooseCoupon,
  hasCode,
  NO_COUPON,
} from "#app/domain/coupon/choose-coupon.server.ts";
import { type Coupon, type CouponRule, NOT_FOR_THIS_PURCHASE } from "#app/domain/coupon/coupon.ts";
import { sayBefore } from "#app/domain/order/order-refusal.ts";
import { shownQuantity } from "#app/domain/pricing/offer.ts";
import { discountPrices, quote } from "#app/domain/pricing/quote.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { countUnknownCoupon, refuseCouponGuesses } from "#app/server/limits/limit-coupon-guesses.server.ts";
import type { CheckoutForm, CheckoutView } from "#app/ui/buyer/checkout/checkout-view.ts";

type Product = CheckoutView["product"];

/** The coupon of a page with these codes, whose form has this quantity as text. @throws Refusal too-many after too many unknown codes */
export async function findPageCoupon(
  request: Request,
  product: Product,
  codes: CouponCodes,
  typedQuantity = "",
): Promise<CouponChoice> {
  if (!hasCode(codes)) return NO_COUPON;
  const source = codes.typed === null ? "linked" : "typed";
  await refuseCouponGuesses(request, source);
  const choice = await choosePageCoupon(product, codes, typedQuantity);
  if (choice.hasUnknown) await countUnknownCoupon(request, source);
  return choice;
}

/** The same for a page that is shown anyway: a client with too many unknown codes gets it without a coupon. */
export function findAllowedCoupon(...of: Parameters<typeof findPageCoupon>): Promise<CouponChoice> {
  return findPageCoupon(...of).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === "too-many") return NO_COUPON;
    throw error;
  });
}

/**
 * The coupon of a form that is shown again after a refusal; none where it is valid, but not for this buyer or now: the
 * prices on the page are then those without it. An unknown code counts as a guess, whatever the order was refused for.
 */
export async function findRefusedCoupon(
  request: Request,
  product: Product,
  codes: CouponCodes,
  refusal: Refusal,
  typedQuantity = "",
): Promise<CouponChoice> {
  const isOfBuyer = refusal.kind === "too-many" || refusal.code === NOT_FOR_THIS_PURCHASE.rule;
  if (refusal.field === "coupon" && isOfBuyer) return NO_COUPON;
  const choice = await choosePageCoupon(product, codes, typedQuantity);
  // The order itself has counted one that it was refused for.
  const isCounted = refusal.code === ("coupon-unknown" satisfies CouponRule);
  if (choice.hasUnknown && !isCounted) await countUnknownCoupon(request, "typed");
  return choice;
}

/** The coupon at the prices that a form shows. */
function choosePageCoupon(
  product: Product,
  codes: CouponCodes,
  typedQuantity: string,
): Promise<CouponChoice> {
  return chooseCoupon(product, codes, { quantity: shownQuantity(typedQuantity, product.offer) });
}

/** When a page with this coupon becomes stale by itself (Unix ms). */
export function couponStaleAt({ coupon }: CouponChoice): number {
  const end = coupon?.endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return coupon?.isLimited ? Math.min(end, Date.now() + LIMITED_AGE) : end;
}

/** What a page with this coupon shows: its prices, the code in its field, and why a code does not count. */
export function showCoupon(
  product: Product,
  form: CheckoutForm,
  { coupon, problem, note }: CouponChoice,
  typed: string,
): Pick<CheckoutView, "product" | "coupon" | "form"> {
  return {
    product: discountPrices(product, coupon),
    coupon: coupon && { code: coupon.code, discount: describeDiscount(product, coupon), note },
    form: {
      ...form,
      ...nameProblem(form, problem?.message, product.hasCoupons),
      couponCode: coupon?.code ?? typed,
    },
  };
}

/** Why a coupon does not count: at its field, or above the form where it has none. A refused order has named it already. */
function nameProblem(
  { errors: { coupon: named, ...others }, alert }: CheckoutForm,
  problem: string | undefined,
  hasField: boolean,
): Pick<CheckoutForm, "errors" | "alert"> {
  const message = named ? sayBefore(named, [alert]) : problem;
  if (!message) return { errors: others, alert };
  if (!hasField) {
    const texts = [`${message} O pedido vai sem cupom.`, alert];
    return { errors: others, alert: texts.filter(Boolean).join(" ") };
  }
  const coupon = named ? message : `${message} Apague o código para comprar sem cupom.`;
  return { errors: { ...others, coupon }, alert };
}

function describeDiscount(product: Product, coupon: Coupon): string {
  if (coupon.includesBumps) return `${coupon.percent}% de desconto em tudo`;
  return `− ${formatMoney(quote(product, [], coupon).discountCents)}`;
}
