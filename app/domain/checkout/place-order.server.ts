import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import {
  type CheckoutTerms,
  findOrderableCheckout,
} from "#app/domain/checkout/find-checkout-terms.server.ts";
import { findUpsellTerms } from "#app/domain/checkout/find-upsell-terms.server.ts";
import { resumePix } from "#app/domain/checkout/resume-pix.server.ts";
import { chooseCoupon } from "#app/domain/coupon/choose-coupon.server.ts";
import { couponRefusal } from "#app/domain/coupon/reserve-coupon.server.ts";
import { CANNOT_PAY, NO_CARDS, NO_PAYMENTS } from "#app/domain/gateway/cannot-pay.ts";
import { acceptUpsell, DEADLINE_GRACE } from "#app/domain/order/accept-upsell.server.ts";
import { readAdAnswer } from "#app/domain/order/ad-ids.server.ts";
import { explainOwnHold, explainOwnHoldOfOrder } from "#app/domain/order/explain-own-hold.server.ts";
import type {
  BuyerContext,
  CheckoutOrder,
  Customer,
  Order,
  PlacedOrder,
  SentFields,
} from "#app/domain/order/order.ts";
import { getRequiredFields, readOrder } from "#app/domain/order/order-form.server.ts";
import {
  alreadyBought,
  NOTHING_CHARGED,
  OrderRefusal,
  type OrderRule,
  productGone,
  refuseAmount,
  refuseLargeOrder,
} from "#app/domain/order/order-refusal.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { findOfferRefusal, readQuantity } from "#app/domain/order/reserve-offer.server.ts";
import { ownsProduct } from "#app/domain/order/select-earlier-sale.server.ts";
import type { ClaimedCharge } from "#app/domain/pix/claim-charge.server.ts";
import { type PreparedCharge, prepareFirstCharge } from "#app/domain/pix/prepare-charge.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { parseSeenTotal, quote } from "#app/domain/pricing/quote.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/** An upsell that a buyer accepts. */
export type UpsellOrder = {
  purchase: Pick<Purchase, "saleId" | "productId" | "status">;
  upsellId: number;
  seenPrices: string;
  buyerContext: Pick<BuyerContext, "client">;
};

/**
 * The only entry point for orders: page, API and upsells call it, and every rule of an order is applied here or below. An
 * order is stored even where the seller has no gateway yet: the seller has its data, and the next attempt is the same sale.
 * An upsell is refused before anything is written, so that it is not used up.
 * @throws OrderRefusal, or Refusal not-found where purchase and upsell do not belong together: nothing was written
 */
export async function placeOrder(order: CheckoutOrder | UpsellOrder): Promise<PlacedOrder> {
  const { saleId, productId, next, isEarlier, claim } =
    "upsellId" in order ? await orderUpsell(order) : await orderProduct(order);
  const sale = { saleId, productId };
  if (next !== "pix") return { ...sale, next, chargeId: null, refusal: null };
  try {
    return {
      ...sale,
      next,
      ...(await (isEarlier ? resumePix(saleId) : startPix(saleId, claim))),
      refusal: null,
    };
  } catch (error) {
    const placedSaleIds = "upsellId" in order ? [] : order.buyerContext.placedSaleIds;
    const refusal = await explainOwnHoldOfOrder(error, saleId, placedSaleIds);
    if (!(refusal instanceof Refusal)) throw refusal;
    return { ...sale, next, chargeId: null, refusal };
  }
}

/** `claim`: the charge that was created with the sale, whose code is requested next. */
type Ordered = Pick<PlacedOrder, "saleId" | "productId" | "next"> & {
  isEarlier: boolean;
  claim?: ClaimedCharge;
};

async function orderProduct(order: CheckoutOrder): Promise<Ordered> {
  const seen = { offerId: order.seenOfferId, isOrder: true };
  const found = order.product && (await findOrderableCheckout(order.product, seen));
  if (!found) throw productGone();
  const { product, settings } = found.checkout;
  const offerGraceMs = settings.price_grace_minutes * MINUTE;
  const overRefusal =
    findTimerRefusal(settings, order.timerEndsAt) ??
    findOfferRefusal(product, { isOrder: true, graceMs: offerGraceMs });
  try {
    return await placeForm(order, found, { offerGraceMs, overRefusal });
  } catch (error) {
    throw isSaidAnyway(error) ? error : (overRefusal ?? error);
  }
}

/** Places an order. With an `overRefusal`, of its offer or the seller's timer, only an earlier sale that holds its units is found. */
async function placeForm(
  order: CheckoutOrder,
  found: OrderableCheckout,
  { offerGraceMs, overRefusal }: { offerGraceMs: number; overRefusal: OrderRefusal | null },
): Promise<Ordered> {
  const { fields, isRepurchase, buyerContext, coupons: codes } = order;
  const { product, settings } = found.checkout;
  const { customer, bumpIds } = readForm(fields, settings);
  const quantity = readQuantity(fields.quantity, product.offer);
  if (!isRepurchase) await refuseOwned(product.id, customer, buyerContext);
  const form = { customer, bumpIds, quantity, offerGraceMs };
  const { coupon, problem, over } = await chooseCoupon(product, codes, { quantity });
  for (const { coupon: tried, problem: reason } of over) {
    const limited = { coupon: tried, overRefusal: couponRefusal(reason) };
    const repeated = await placeWith(order, found, form, limited).catch(ignoreRefusal);
    if (repeated) return repeated;
  }
  try {
    if (problem) throw couponRefusal(problem);
    return await placeWith(order, found, form, { coupon, overRefusal });
  } catch (error) {
    // Where a code has a problem, `coupon` is the other one, which counts.
    const coupons = (problem ? over : [{ coupon }]).flatMap((tried) => tried.coupon ?? []);
    const limited = { coupons, offer: product.offer };
    throw await explainOwnHold(error, limited, buyerContext.placedSaleIds);
  }
}

type OrderableCheckout = NonNullable<Awaited<ReturnType<typeof findOrderableCheckout>>>;

type CheckedForm = { customer: Customer; bumpIds: number[]; quantity: number; offerGraceMs: number };

/** Places an order with a coupon; see `Order` for `overRefusal`. */
async function placeWith(
  order: CheckoutOrder,
  { checkout, gateways }: OrderableCheckout,
  form: CheckedForm,
  { coupon, overRefusal }: Pick<Order, "coupon" | "overRefusal">,
): Promise<Ordered> {
  const { product, settings, advertisers, pixPercent } = checkout;
  const advertiserKinds = advertisers.map(({ kind }) => kind);
  const { bumpIds, quantity } = form;
  const { name, email, document } = form.customer;
  const payment = { pixPercent, isCard: order.isCard ?? false };
  const { listCents, totalCents } = quote(product, bumpIds, coupon, { quantity, ...payment });
  refuseLargeOrder(listCents);
  const isFree = totalCents === 0;
  const isCard = payment.isCard && !isFree;
  if (!isFree) refuseMethod(checkout, isCard, totalCents);
  const seenPixPercent = isCard ? 0 : (order.seenPixPercent ?? 0);
  // The first charge is created in the order's transaction: most buyers pay at once. An order that only finds an earlier sale
  // must not use up the attempt that `mayTryFirst` allows at a provider that stopped answering.
  const needsCharge = !(isFree || isCard || overRefusal);
  const prepared = needsCharge ? prepareFirstCharge(gateways, totalCents, { name, email, document }) : null;
  const claimedAt = performance.now();
  const { ip, device, seenAt, seenGuaranteeDays, isRepurchase, buyerContext, idempotencyKey } = order;
  const { saleId, isEarlier, charge } = await placeSale(
    {
      ...{ productId: product.id, ...form, coupon, overRefusal, pixPercent, isCard },
      ...{ ip, device, seenAt, isRepurchase, buyerContext, idempotencyKey },
      ...readAdAnswer(order.ads, order.campaign, advertiserKinds),
      guaranteeDays: settings.guarantee_days,
      seenGuaranteeDays,
      seenOfferId: order.seenOfferId,
      seenCents: parseSeenTotal(order.seenPrices, bumpIds, { quantity, pixPercent: seenPixPercent }),
      charge: prepared && toNewCharge(prepared),
    },
    product,
  );
  const placed = { saleId, productId: product.id, isEarlier };
  if (isFree) return { ...placed, next: "thank-you" };
  if (isCard) return { ...placed, next: "card" };
  if (!prepared || !charge) return { ...placed, next: "pix" };
  const claim: ClaimedCharge = {
    ...prepared,
    chargeId: charge.id,
    sellerId: product.sellerId,
    saleStatus: "pending",
    claimedAt,
    databaseOffset: charge.databaseOffset,
    chargedNote: NOTHING_CHARGED,
  };
  return { ...placed, next: "pix", claim };
}

/** Refuses a payment that the seller does not take, before anything is written. */
function refuseMethod(
  { settings, takesCards, limits }: CheckoutTerms,
  isCard: boolean,
  amountCents: number,
): void {
  refusePixOff(settings);
  if (isCard && !takesCards) throw new Refusal("conflict", limits ? NO_CARDS : CANNOT_PAY);
  if (limits) refuseAmount(limits, amountCents);
}

/** Another error than a refusal, or the refusal that names the earlier purchase. */
function isSaidAnyway(error: unknown): boolean {
  return !(error instanceof Refusal) || error.code === ("already-bought" satisfies OrderRule);
}

function ignoreRefusal(error: unknown): null {
  if (isSaidAnyway(error)) throw error;
  return null;
}

function toNewCharge({ gateway, insteadOf, chargeRequest: { reference } }: PreparedCharge) {
  return { provider: gateway.provider.name, gatewayKeyId: gateway.keyId, reference, insteadOf };
}

async function orderUpsell({ purchase, upsellId, seenPrices, buyerContext }: UpsellOrder): Promise<Ordered> {
  const { saleId, productId, status } = purchase;
  if (status !== "completed") throw notFound("A venda especificada não foi encontrada.");
  const terms = await findUpsellTerms(saleId);
  const seenCents = parseSeenTotal(seenPrices, []);
  const acceptance = { saleId, upsellId, seenCents, terms, buyerContext };
  return { ...(await acceptUpsell(acceptance)), productId, next: "pix" };
}

function findTimerRefusal(settings: CheckoutSettings, timerEndsAt: number): OrderRefusal | null {
  if (!settings.urgency_timer_enabled || !(timerEndsAt > 0) || timerEndsAt + DEADLINE_GRACE >= Date.now())
    return null;
  return new OrderRefusal(
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
  if (await ownsProduct(productId, email, placedSaleIds)) throw alreadyBought();
}
