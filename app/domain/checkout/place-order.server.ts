import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import type { ProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { findOrderableCheckout, findPaymentTerms } from "#app/domain/checkout/payment-terms.server.ts";
import {
  type CouponChoice,
  type CouponCodes,
  chooseCoupon,
} from "#app/domain/coupon/choose-coupon.server.ts";
import { couponRefusal } from "#app/domain/coupon/reserve-coupon.server.ts";
import { CANNOT_PAY, NO_CARDS, NO_PAYMENTS } from "#app/domain/gateway/cannot-pay.ts";
import { acceptUpsell, DEADLINE_GRACE } from "#app/domain/order/accept-upsell.server.ts";
import { type AdVisit, buildAdIds, readStoredClicks } from "#app/domain/order/ad-ids.server.ts";
import type { BuyerContext, Customer } from "#app/domain/order/order.ts";
import {
  getRequiredFields,
  readCampaign,
  readOrder,
  type SentFields,
} from "#app/domain/order/order-form.server.ts";
import {
  NOTHING_CHARGED,
  OrderRefusal,
  productGone,
  refuseAmount,
  refuseLargeOrder,
} from "#app/domain/order/order-refusal.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { readQuantity, refuseOfferProblem } from "#app/domain/order/reserve-offer.server.ts";
import { ownsProduct } from "#app/domain/order/select-earlier-sale.server.ts";
import type { ClaimedCharge } from "#app/domain/pix/claim-charge.server.ts";
import { type PreparedCharge, prepareFirstCharge } from "#app/domain/pix/request-code.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { parseSeenTotal, quote } from "#app/domain/pricing/quote.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { findStorefront } from "#app/domain/storefront/find-checkout.server.ts";
import type { Device } from "#app/kit/device.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/** An order as a checkout sent it. */
export type CheckoutOrder = {
  /** Null where the address has no valid reference. */
  product: ProductRef | null;
  fields: SentFields;
  coupons: CouponCodes;
  /** The checkout's query parameters, decoded. */
  campaign: Iterable<[string, string]>;
  ip: string | null;
  ads: AdVisit;
  /** The buyer's device, and when they first saw the checkout; null where unknown. */
  device: Device | null;
  seenAt: Date | null;
  /** The price tier that the buyer saw; null where none was shown. */
  seenOfferId: string | null;
  /** The output of `formatSeenPrices`; empty where no price was shown. */
  seenPrices: string;
  /** The PIX discount that the buyer saw, in percent; 0 where none was shown. */
  seenPixPercent?: number;
  /** The guarantee that the buyer saw, in days; null where none was shown. */
  seenGuaranteeDays: number | null;
  /** When the countdown the buyer saw ends (Unix ms); 0 where they saw none. */
  timerEndsAt: number;
  /** The buyer knows that they own it, and orders it again. */
  isRepurchase: boolean;
  /** The buyer pays with a card on the next page: no PIX is created. */
  isCard?: boolean;
  buyerContext: BuyerContext;
  /** The row of `idempotency_keys` in which the sale is recorded. */
  idempotencyKey?: string;
};

/** An upsell that a buyer accepts. */
export type UpsellOrder = {
  purchase: Pick<Purchase, "saleId" | "productId" | "sellerId" | "status">;
  upsellId: number;
  seenPrices: string;
  buyerContext: Pick<BuyerContext, "client">;
};

/**
 * The sale of an order, and the page that its buyer goes to next. One to be paid by PIX has a code, or the `refusal` that says why it
 * has none yet.
 */
export type PlacedOrder = { saleId: string; productId: number } & (
  | { next: "pix"; chargeId: string; refusal: null }
  | { next: "pix"; chargeId: null; refusal: Refusal }
  | { next: "card" | "thank-you"; chargeId: null; refusal: null }
);

/**
 * The only entry point for orders: page, API and upsells call it, and every rule of an order is applied here or below. An
 * order is stored even where the seller has no gateway yet: the seller has its data, and the next attempt is the same sale.
 * An upsell is refused before anything is written, so that it is not used up.
 * @throws OrderRefusal, or Refusal not-found where purchase and upsell do not belong together: nothing was written
 */
export async function placeOrder(order: CheckoutOrder | UpsellOrder): Promise<PlacedOrder> {
  const { saleId, productId, next, claim } =
    "upsellId" in order ? await orderUpsell(order) : await orderProduct(order);
  const sale = { saleId, productId };
  if (next !== "pix") return { ...sale, next, chargeId: null, refusal: null };
  try {
    return { ...sale, next, ...(await startPix(saleId, claim)), refusal: null };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { ...sale, next, chargeId: null, refusal };
  }
}

/** `claim`: the charge that was created with the sale, whose code is requested next. */
type Ordered = Pick<PlacedOrder, "saleId" | "productId" | "next"> & { claim?: ClaimedCharge };

async function orderProduct(order: CheckoutOrder): Promise<Ordered> {
  const { fields, timerEndsAt, isRepurchase, buyerContext, coupons } = order;
  const found = order.product && (await findOrderableCheckout(order.product, order.seenOfferId));
  if (!found) throw productGone();
  const { product, settings } = found.checkout;
  refuseExpiredTimer(settings, timerEndsAt);
  const offerGraceMs = settings.price_grace_minutes * MINUTE;
  refuseOfferProblem(product, { isOrder: true, graceMs: offerGraceMs });
  const { customer, bumpIds } = readForm(fields, settings);
  const quantity = readQuantity(fields.quantity, product.offer);
  if (!isRepurchase) await refuseOwned(product.id, customer, buyerContext);
  const form = { customer, bumpIds, quantity, offerGraceMs };
  const { coupon, problem, usedUp } = await chooseCoupon(product, coupons, { quantity });
  for (const tried of usedUp) {
    const repeated = await placeWith(order, found, form, tried).catch(ignoreRefusal);
    if (repeated) return repeated;
  }
  if (problem) throw couponRefusal(problem);
  return placeWith(order, found, form, { coupon, problem: null });
}

type CheckedForm = { customer: Customer; bumpIds: number[]; quantity: number; offerGraceMs: number };

/** Places an order with a coupon. With one that has a `problem` only an earlier sale that still has its use is found. */
async function placeWith(
  order: CheckoutOrder,
  found: NonNullable<Awaited<ReturnType<typeof findOrderableCheckout>>>,
  { customer, bumpIds, quantity, offerGraceMs }: CheckedForm,
  { coupon, problem: couponProblem }: Pick<CouponChoice, "coupon" | "problem">,
): Promise<Ordered> {
  const { ip, seenPrices, isRepurchase, buyerContext } = order;
  const { gateways } = found;
  const { product, settings, limits, advertisers, pixPercent } = found.checkout;
  const terms = { quantity, pixPercent, isCard: Boolean(order.isCard) };
  const { listCents, totalCents } = quote(product, bumpIds, coupon, terms);
  refuseLargeOrder(listCents);
  const isFree = totalCents === 0;
  if (!isFree) refusePixOff(settings);
  const isCard = terms.isCard && !isFree;
  if (isCard && !found.checkout.takesCards) throw new Refusal("conflict", NO_CARDS);
  if (limits && !isFree) refuseAmount(limits, totalCents);
  const seenPixPercent = isCard ? 0 : (order.seenPixPercent ?? 0);
  const seenCents = parseSeenTotal(seenPrices, bumpIds, { quantity, pixPercent: seenPixPercent });
  const { idempotencyKey, ads, device, seenAt, seenGuaranteeDays } = order;
  const adConsent = advertisers.length > 0 ? ads.hasConsent : null;
  const campaign = readCampaign(adConsent ? [...order.campaign, ...readStoredClicks(ads)] : order.campaign);
  const adIds = adConsent ? buildAdIds(ads, campaign, new Date()) : null;
  const adAnswer = { adConsent, adIds };
  // The first charge is created in the order's transaction: most buyers pay at once.
  const { name, email, document } = customer;
  const payer = { name: name || null, email: email || null, document: document || null };
  // An order that only finds an earlier sale takes no attempt at a provider that stopped answering.
  const needsCharge = !(isFree || isCard || couponProblem);
  const chargeRequest = needsCharge ? prepareFirstCharge(gateways, totalCents, payer) : null;
  const buyer = { customer, ip, campaign, adAnswer, device, seenAt, isRepurchase, buyerContext };
  const { guarantee_days: guaranteeDays } = settings;
  const sale = {
    ...{ productId: product.id, bumpIds, quantity, offerGraceMs, coupon, couponProblem, ...buyer },
    ...{ guaranteeDays, seenGuaranteeDays, seenCents, idempotencyKey, isCard, pixPercent },
    charge: chargeRequest && toNewCharge(chargeRequest),
  };
  const claimedAt = performance.now();
  const { saleId, charge } = await placeSale(sale, product);
  const placed = { saleId, productId: product.id };
  if (isFree) return { ...placed, next: "thank-you" };
  if (isCard) return { ...placed, next: "card" };
  if (!chargeRequest || !charge) return { ...placed, next: "pix" };
  const { id: chargeId } = charge;
  return {
    ...placed,
    next: "pix",
    claim: {
      ...{ ...chargeRequest, chargeId, sellerId: product.sellerId },
      ...{ claimedAt, saleStatus: "pending", chargedNote: NOTHING_CHARGED },
    },
  };
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

function toNewCharge({ gateway, insteadOf, chargeRequest: { reference } }: PreparedCharge) {
  return { provider: gateway.provider.name, gatewayKeyId: gateway.keyId, reference, insteadOf };
}

async function orderUpsell({ purchase, upsellId, seenPrices, buyerContext }: UpsellOrder): Promise<Ordered> {
  const { saleId, productId, sellerId, status } = purchase;
  if (status !== "completed") throw notFound("A venda especificada não foi encontrada.");
  const { settings } = await findStorefront(sellerId);
  refusePixOff(settings);
  const { limits } = await findPaymentTerms(sellerId);
  if (!limits) throw new OrderRefusal("no-gateway", CANNOT_PAY);
  const seenCents = parseSeenTotal(seenPrices, []);
  const { guarantee_days: guaranteeDays } = settings;
  const acceptance = { saleId, upsellId, seenCents, limits, guaranteeDays, buyerContext };
  return { ...(await acceptUpsell(acceptance)), productId, next: "pix" };
}

function refuseExpiredTimer(settings: CheckoutSettings, timerEndsAt: number): void {
  if (!settings.urgency_timer_enabled || !(timerEndsAt > 0) || timerEndsAt + DEADLINE_GRACE >= Date.now())
    return;
  throw new OrderRefusal(
    "timer-over",
    "Esta oferta expirou! Recarregue a página para uma nova oportunidade.",
  );
}

function readForm(fields: SentFields, settings: CheckoutSettings): { customer: Customer; bumpIds: number[] } {
  const read = readOrder(fields, getRequiredFields(settings));
  if (read.ok) return read;
  const [field = ""] = Object.keys(read.errors);
  const { errors } = read;
  throw new OrderRefusal("fields", Object.values(errors).join("\n"), { field, errors });
}

function refusePixOff(settings: CheckoutSettings): void {
  if (!settings.enable_pix) throw new OrderRefusal("pix-off", NO_PAYMENTS);
}

/** Only in the browser that bought it: others must not learn what an address bought. */
async function refuseOwned(
  productId: number,
  { email }: Customer,
  { placedSaleIds }: BuyerContext,
): Promise<void> {
  if (await ownsProduct(productId, email, placedSaleIds))
    throw new OrderRefusal("already-bought", "Você já comprou este produto.");
}
