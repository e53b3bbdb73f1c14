import { loadForPreview } from "#app/domain/catalog/find-for-sale.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { previewCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import {
  buildLink,
  listCheckoutAddresses,
  MAX_SOURCE_LENGTH,
  SOURCE_PARAMETERS,
} from "#app/domain/checkout/link/build-link.ts";
import { findCoupons, normalizeCouponCode } from "#app/domain/coupon/choose-coupon.server.ts";
import { type Coupon, findCouponProblem } from "#app/domain/coupon/coupon.ts";
import { explainMissingCoupon } from "#app/domain/coupon/explain-missing-coupon.server.ts";
import { listOffers } from "#app/domain/offer/list-offers.server.ts";
import {
  describeQuantityLimits,
  findOfferProblem,
  type Offer,
  parseQuantity,
  quantityLimits,
} from "#app/domain/pricing/offer.ts";
import { quote } from "#app/domain/pricing/quote.ts";
import { listChoices } from "#app/domain/reports/list-choices.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";

/** The parameter of a QR code's file with the link that its page showed. */
export const SHOWN_LINK = "shown";

/**
 * What a seller chose for a link to a product's checkout, by the parameters of its screen, and the link: null with its
 * `error` where it cannot be built. @throws Refusal not-found
 */
export async function loadLink(sellerId: string, productId: string | undefined, query: URLSearchParams) {
  const id = parseProductId(productId);
  const [list, { coupons }] = await Promise.all([
    listOffers({ sellerId, productId: id }),
    listChoices(sellerId),
  ]);
  const addresses = listCheckoutAddresses(list.product, list.offers);
  const address = addresses.find(({ value }) => value === query.get("address")) ?? addresses[0]!;
  const { product, active } = await loadForPreview(sellerId, id, address.offerSlug);
  const chosen = new Set(query.getAll("bump"));
  const bumpIds = product.bumps.map(({ id }) => id).filter((id) => chosen.has(String(id)));
  const code = normalizeCouponCode(query.get("coupon") ?? "").slice(0, 32);
  const [coupon = null] = code ? await findCoupons(sellerId, [code]) : [];
  const source = Object.fromEntries(
    SOURCE_PARAMETERS.map((name) => [name, (query.get(name) ?? "").slice(0, MAX_SOURCE_LENGTH)]),
  );
  const { min, max } = quantityLimits(product.offer);
  // What was typed for another address does not count.
  const typed = max > 1 ? (query.get("quantity") ?? "").trim().slice(0, 6) : "";
  const quantity = parseQuantity(typed, product.offer);
  const problem = coupon
    ? findCouponProblem(coupon, { ...product, quantity: quantity ?? min })
    : code
      ? await explainMissingCoupon(sellerId, code)
      : null;
  const { pixPercent } = await previewCheckoutTerms(product);
  const terms = { quantity: quantity ?? min, pixPercent };
  const built = tryBuilding(() => {
    if (quantity === null) throw new Refusal("invalid", describeQuantityLimits(product.offer));
    // The checkout starts with the least.
    const more = quantity > min ? quantity : null;
    return env.APP_URL + buildLink(address.at, { coupon: code, bumpIds, quantity: more, source });
  });
  return {
    product,
    active,
    addresses: addresses.map(({ value, label }) => ({ value, label })),
    address: address.value,
    coupons: coupons.map((one) => one.code),
    code,
    problem: problem?.message ?? null,
    offerProblem: address.offerSlug ? describeOfferProblem(product.offer) : null,
    /** Null where the checkout does not ask how many. */
    quantity: max > 1 ? typed || String(min) : null,
    limits: { min, max },
    bumpIds,
    source,
    ...built,
    total: describeTotal(product, bumpIds, problem ? null : coupon, terms),
  };
}

function tryBuilding(build: () => string): { link: string | null; error: string | null } {
  try {
    return { link: build(), error: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { link: null, error: error.message };
  }
}

/** Why nobody can order at the offer's address now, as the checkout says it; null where they can. */
function describeOfferProblem(offer: Offer | null): string | null {
  return (offer && findOfferProblem(offer)?.message) ?? null;
}

function describeTotal(
  product: Parameters<typeof quote>[0],
  bumpIds: number[],
  coupon: Coupon | null,
  terms: { quantity: number; pixPercent: number },
): string {
  const { listCents, totalCents, discountCents, pixDiscountCents } = quote(product, bumpIds, coupon, terms);
  const cardCents = totalCents + pixDiscountCents;
  const one = totalCents === 0 ? "de graça" : formatMoney(totalCents);
  const total = pixDiscountCents > 0 ? `${one} no PIX, ${formatMoney(cardCents)} no cartão` : one;
  return discountCents > 0 ? `${total}, no lugar de ${formatMoney(listCents)}` : total;
}
