import { loadForPreview, type ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { buildLink, type Source } from "#app/domain/checkout/link/build-link.ts";
import {
  LINK_LIFETIME,
  type LinkBuyer,
  MAX_LINK_LIFETIME,
  sealBuyer,
} from "#app/domain/checkout/link/buyer-token.server.ts";
import { findCoupons, normalizeCouponCode } from "#app/domain/coupon/choose-coupon.server.ts";
import { type CouponRule, findCouponProblem } from "#app/domain/coupon/coupon.ts";
import { explainMissingCoupon } from "#app/domain/coupon/explain-missing-coupon.server.ts";
import { findOffer, type OfferOwner } from "#app/domain/offer/find-offer.server.ts";
import {
  describeQuantityLimits,
  findOfferProblem,
  type Offer,
  type OfferRule,
  parseQuantity,
} from "#app/domain/pricing/offer.ts";
import { cleanMail, findFault } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanDocument } from "#app/kit/documents.ts";
import { parsePhone } from "#app/kit/phone.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What a link to a checkout is to carry; empty texts are omitted. */
export type LinkRequest = {
  productId: number;
  /** The offer to lead to; null: the product's own address. */
  offerId: string | null;
  /** How many units of the offer; null: the buyer chooses. */
  quantity: number | null;
  customer_name: string;
  customer_email: string;
  customer_phone: string;
  customer_document: string;
  coupon: string;
  bumpIds: number[];
  source: Source;
  expiresAt: Date | null;
};

/**
 * A link to a seller's checkout. A buyer's data are encrypted in it until `expiresAt`, which is null where it has none. A product
 * may be inactive: links are prepared before a launch.
 * @throws Refusal not-found (the product, the offer), invalid (a field, with its name), conflict (the coupon is not valid for
 * it, the offer is over)
 */
export async function createLink(
  sellerId: string,
  sent: LinkRequest,
  now = new Date(),
): Promise<{ path: string; expiresAt: Date | null; isActive: boolean }> {
  const { productId, offerId } = sent;
  const address = offerId === null ? null : await findAddress({ sellerId, productId }, offerId);
  const { product, active: isActive } = await loadForPreview(sellerId, productId, address?.checkoutSlug);
  refuseOverOffer(address && product.offer);
  refuseQuantity(product, sent.quantity);
  const coupon = normalizeCouponCode(sent.coupon);
  refuseForeignBumps(product, sent.bumpIds);
  await refuseInvalidCoupon(
    { ...product, quantity: sent.quantity ?? product.offer?.minQuantity ?? 1 },
    coupon,
  );
  const buyer = readBuyer(sent);
  const isPersonal = Object.values(buyer).some(Boolean);
  const expiresAt = readExpiry(sent.expiresAt, isPersonal, now);
  const token = expiresAt && sealBuyer(product, buyer, expiresAt);
  const { bumpIds, quantity, source } = sent;
  const path = buildLink(address ?? product, { coupon, bumpIds, quantity, source, token });
  return { path, expiresAt, isActive };
}

/** @throws Refusal not-found, invalid: the offer is a price of the product's own address */
async function findAddress(
  owner: OfferOwner,
  offerId: string,
): Promise<{ id: number; checkoutSlug: string }> {
  const { slug } = await findOffer(owner, offerId);
  if (slug === null)
    throw new Refusal("invalid", "Esta oferta não tem endereço próprio: mande sem offer_id", "offer_id");
  return { id: owner.productId, checkoutSlug: slug };
}

/** An offer that has not begun is accepted: links are prepared before a launch. */
function refuseOverOffer(offer: Offer | null): void {
  const problem = offer && findOfferProblem(offer);
  if (problem && problem.rule !== ("offer-early" satisfies OfferRule))
    throw new Refusal("conflict", problem.message, "offer_id", undefined, problem.rule);
}

function refuseQuantity({ offer }: ProductForSale, quantity: number | null): void {
  if (quantity === null || parseQuantity(String(quantity), offer) !== null) return;
  throw new Refusal("invalid", describeQuantityLimits(offer), "quantity");
}

/** @throws Refusal invalid: what the checkout's form would refuse */
function readBuyer(sent: LinkRequest): LinkBuyer {
  const { customer_name, customer_email, customer_phone, customer_document } = sent;
  for (const [name, typed] of Object.entries({
    customer_name,
    customer_email,
    customer_phone,
    customer_document,
  })) {
    const fault = findFault(name, typed, false);
    if (fault) throw new Refusal("invalid", fault, name);
  }
  return {
    name: cleanLine(customer_name).replace(/\s+/g, " ").trim(),
    email: cleanMail(customer_email),
    phone: parsePhone(customer_phone) ?? "",
    document: cleanDocument(customer_document),
  };
}

function readExpiry(expiresAt: Date | null, isPersonal: boolean, now: Date): Date | null {
  const refuse = (message: string) => new Refusal("invalid", message, "expires_at");
  if (!isPersonal) {
    if (expiresAt) throw refuse("expires_at só vale para um link com dados do comprador");
    return null;
  }
  if (!expiresAt) return new Date(now.getTime() + LINK_LIFETIME);
  if (expiresAt <= now) throw refuse("expires_at já passou");
  if (expiresAt.getTime() > now.getTime() + MAX_LINK_LIFETIME)
    throw refuse("expires_at pode ser no máximo daqui a 30 dias");
  return expiresAt;
}

function refuseForeignBumps({ bumps }: ProductForSale, bumpIds: number[]): void {
  if (bumpIds.every((id) => bumps.some((bump) => bump.id === id))) return;
  throw new Refusal("invalid", "Um dos order bumps não é deste produto, ou está inativo", "order_bumps");
}

/** A coupon that is not valid yet is accepted: links are prepared before a launch. */
async function refuseInvalidCoupon(
  product: ProductForSale & { quantity: number },
  code: string,
): Promise<void> {
  if (!code) return;
  const [coupon] = await findCoupons(product.sellerId, [code]);
  const problem = coupon
    ? findCouponProblem(coupon, product)
    : await explainMissingCoupon(product.sellerId, code);
  if (problem && problem.rule !== ("coupon-early" satisfies CouponRule))
    throw new Refusal("conflict", problem.message, "coupon", undefined, problem.rule);
}
