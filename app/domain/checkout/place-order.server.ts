import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import type { ProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { askedFields } from "#app/domain/checkout/asked-fields.ts";
import { findCheckoutToOrder, payTerms } from "#app/domain/checkout/pay-terms.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { acceptOffer } from "#app/domain/order/accept-offer.server.ts";
import { type AdVisit, adIdsOf, keptClicks } from "#app/domain/order/ad-ids.server.ts";
import { NOTHING_CHARGED } from "#app/domain/order/nothing-charged.ts";
import { readCampaign, readOrder, type SentFields } from "#app/domain/order/order-form.server.ts";
import type { Customer } from "#app/domain/order/order-key.server.ts";
import { OrderRefusal, productGone } from "#app/domain/order/order-refusal.ts";
import { ownsProduct } from "#app/domain/order/owns-product.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import type { Placer } from "#app/domain/order/placer.ts";
import { refuseAmount } from "#app/domain/order/refuse-amount.ts";
import { readSeenTotal, totalOf } from "#app/domain/order/seen-prices.ts";
import type { ClaimedCharge } from "#app/domain/pix/claim-charge.server.ts";
import { type Asking, firstCharge } from "#app/domain/pix/first-charge.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { findCheckoutSettings } from "#app/domain/storefront/find-checkout.server.ts";
import type { Device } from "#app/kit/device.ts";
import { SECOND } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/** How long after the countdown's end an order still counts: it was on its way. */
const GRACE = 5 * SECOND;

/** What a buyer orders of a checkout, as it was sent. */
export type CheckoutOrder = {
  /** Null where the address names none. */
  product: ProductRef | null;
  fields: SentFields;
  /** The checkout's query parameters, decoded. */
  campaign: Iterable<[string, string]>;
  ip: string | null;
  ads: AdVisit;
  /** What it was ordered on, and when the buyer first saw the checkout; null where it is not known. */
  device: Device | null;
  seenAt: Date | null;
  /** What `writeSeenPrices` wrote; empty where nobody was shown a price. */
  seenPrices: string;
  /** The guarantee the buyer was shown, in days; null where nobody was shown one. */
  seenGuarantee: number | null;
  /** When the countdown the buyer saw ends (Unix ms); 0 where they saw none. */
  timerEndsAt: number;
  /** The buyer was told that they bought it before, and wants it once more. */
  again: boolean;
  placer: Placer;
  /** The row of `idempotency_keys` that is told of the sale. */
  nameKey?: string;
};

/** An offer that a buyer takes after a purchase. */
export type OfferOrder = {
  purchase: Pick<Purchase, "saleId" | "productId" | "sellerId" | "status">;
  offerId: number;
  seenPrices: string;
  placer: Pick<Placer, "client">;
};

/** The sale that the order is. `refusal` says why it has no PIX to pay with yet; null where it has one. */
export type PlacedOrder = { saleId: string; productId: number } & (
  | { chargeId: string; refusal: null }
  | { chargeId: null; refusal: Refusal }
);

/**
 * The one door for orders: page, API and offers come through here, and every rule of an order stands here or below.
 * A buyer's order is kept where the seller has no gateway yet: the seller has its data, and the next try is the same
 * sale. An offer is not used up for nothing, so it is refused before anything is written.
 * @throws OrderRefusal, or Refusal not-found where purchase and offer do not fit together: nothing was written
 */
export async function placeOrder(order: CheckoutOrder | OfferOrder): Promise<PlacedOrder> {
  const { claim, ...placed } = "offerId" in order ? await takeOffer(order) : await orderProduct(order);
  try {
    return { ...placed, ...(await startPix(placed.saleId, claim)), refusal: null };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { ...placed, chargeId: null, refusal };
  }
}

/** `claim`: the charge that the sale was placed with, whose code is asked for now. */
type Ordered = { saleId: string; productId: number; claim?: ClaimedCharge };

async function orderProduct(order: CheckoutOrder): Promise<Ordered> {
  const { fields, ip, seenPrices, timerEndsAt, again, placer } = order;
  const found = order.product && (await findCheckoutToOrder(order.product));
  if (!found) throw productGone();
  const { gateway } = found;
  const { product, settings, limits } = found.checkout;
  refuseLate(settings, timerEndsAt);
  const { customer, bumpIds } = readForm(fields, settings);
  refusePixOff(settings);
  if (!again) await refuseOwned(product.id, customer, placer);
  if (limits) refuseAmount(limits, totalOf(product, bumpIds));
  const seenCents = readSeenTotal(seenPrices, bumpIds);
  const { nameKey, ads, device, seenAt, seenGuarantee } = order;
  const adConsent = product.advertisers.length > 0 ? ads.agrees : null;
  const campaign = readCampaign(adConsent ? [...order.campaign, ...keptClicks(ads)] : order.campaign);
  const adIds = adConsent ? adIdsOf(ads, campaign, new Date()) : null;
  const answer = { adConsent, adIds };
  // In one transaction with the order: the usual buyer pays at once.
  const { name, document } = customer;
  const asking = firstCharge(gateway, totalOf(product, bumpIds), {
    name: name || null,
    document: document || null,
  });
  const buyer = { customer, ip, campaign, answer, device, seenAt, again, placer };
  const { guarantee_days: guaranteeDays } = settings;
  const sale = {
    ...{ productId: product.id, bumpIds, ...buyer, guaranteeDays, seenGuarantee, seenCents, nameKey },
    charge: asking && rowOf(asking),
  };
  const claimedAt = performance.now();
  const { saleId, charge } = await placeSale(sale, product);
  if (!asking || !charge) return { saleId, productId: product.id };
  const { id: chargeId } = charge;
  return {
    saleId,
    productId: product.id,
    claim: { ...asking, chargeId, claimedAt, saleStatus: "pending", charged: NOTHING_CHARGED },
  };
}

function rowOf({ gateway, wanted: { reference } }: Asking) {
  return { provider: gateway.provider.name, gatewayKeyId: gateway.keyId, reference };
}

async function takeOffer({ purchase, offerId, seenPrices, placer }: OfferOrder): Promise<Ordered> {
  const { saleId, productId, sellerId, status } = purchase;
  if (status !== "completed") throw notFound("A venda especificada não foi encontrada.");
  const { settings } = await findCheckoutSettings(sellerId);
  refusePixOff(settings);
  const { limits } = await payTerms(sellerId);
  if (!limits) throw new OrderRefusal("no-gateway", CANNOT_PAY);
  const seenCents = readSeenTotal(seenPrices, []);
  const { guarantee_days: guaranteeDays } = settings;
  const taken = { saleId, offerId, seenCents, limits, guaranteeDays, placer };
  return { ...(await acceptOffer(taken)), productId };
}

function refuseLate(settings: CheckoutSettings, timerEndsAt: number): void {
  if (!settings.urgency_timer_enabled || !(timerEndsAt > 0) || timerEndsAt + GRACE >= Date.now()) return;
  throw new OrderRefusal(
    "timer-over",
    "Esta oferta expirou! Recarregue a página para uma nova oportunidade.",
  );
}

function readForm(fields: SentFields, settings: CheckoutSettings): { customer: Customer; bumpIds: number[] } {
  const read = readOrder(fields, askedFields(settings));
  if (read.ok) return read;
  const [field = ""] = Object.keys(read.errors);
  const { errors } = read;
  throw new OrderRefusal("fields", Object.values(errors).join("\n"), { field, errors });
}

function refusePixOff(settings: CheckoutSettings): void {
  if (!settings.enable_pix)
    throw new OrderRefusal("pix-off", "Este vendedor não está recebendo pagamentos no momento.");
}

/** Told only in the browser that bought it. */
async function refuseOwned(productId: number, { email }: Customer, { placed }: Placer): Promise<void> {
  if (await ownsProduct(productId, email, placed))
    throw new OrderRefusal("already-bought", "Você já comprou este produto.");
}
