import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { qualified } from "#app/db/columns.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { isBumpGone, isForSale, isPaymentAnnounced } from "#app/domain/charge/conditions.server.ts";
import type { CouponRule } from "#app/domain/coupon/coupon.ts";
import { reserveCouponAgain } from "#app/domain/coupon/reserve-coupon.server.ts";
import { NO_PAYMENTS } from "#app/domain/gateway/cannot-pay.ts";
import { OrderRefusal, type OrderRule, paymentRefusal } from "#app/domain/order/order-refusal.ts";
import { findFewLeftOfOrder, reserveOfferAgain } from "#app/domain/order/reserve-offer.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";

const notForSaleMessage = (chargedNote: string) =>
  `Este produto não está mais à venda. ${chargedNote}: se você já pagou um código anterior, o pagamento será reconhecido.`;
const bumpGoneMessage = (chargedNote: string) =>
  `${BUMP_GONE_TEXT} ${chargedNote}: se você já pagou um código anterior, o pagamento será reconhecido. Para comprar os outros itens, faça um novo pedido na página do produto.`;
const couponEndedMessage = (code: string, chargedNote: string) =>
  `O cupom ${code} deste pedido não vale mais. ${chargedNote}. Faça um novo pedido na página do produto, sem o cupom.`;
const offerEndedMessage = (name: string, chargedNote: string) =>
  `A oferta "${name}" deste pedido não vale mais. ${chargedNote}. Faça um novo pedido na página do produto.`;
export const BUMP_GONE_TEXT = "Um dos itens deste pedido não está mais à venda.";
/** Why an order without its buyer's data is not paid or changed any more. */
export const ANONYMIZED_MESSAGE =
  "Os dados deste pedido foram apagados. Faça um novo pedido na página do produto.";
const ANNOUNCED_MESSAGE =
  "Recebemos o aviso do seu pagamento e estamos confirmando. Não pague de novo: esta página avisa assim que terminar.";

/** What the buyer is told where a PIX of another amount waits for its seller. */
export const MISMATCH =
  "Recebemos um PIX de outro valor para este pedido. Para combinar com o vendedor, veja o atendimento abaixo.";

/** What a sale costs with a card, in cents; its amount is what its own payment method costs. */
export const cardTotal = sql<number>`(${sales.amountCents} + case ${sales.paymentMethod} when 'card' then 0 else ${sales.pixDiscountCents} end)`;

/** What it costs with a PIX. */
export const pixTotal = sql<number>`(${sales.amountCents} - case ${sales.paymentMethod} when 'card' then ${sales.pixDiscountCents} else 0 end)`;

/** Whether a payment was received, of any amount, refunded or not. */
const hasReceived = sql<boolean>`exists (
  select from charges c where c.seller_id = ${qualified(sales.sellerId)} and c.sale_id = ${qualified(sales.id)} and c.paid_cents is not null)`;

/** A PIX of another amount was received and not refunded: its seller decides, and no second payment is asked for meanwhile. */
export const hasMismatch = sql<boolean>`exists (
  select from charges c where c.seller_id = ${qualified(sales.sellerId)} and c.sale_id = ${qualified(sales.id)} and c.status = 'mispaid'
    and c.paid_cents > (select coalesce(sum(r.amount_cents), 0) from refunds r
      where r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'))`;

/** The seller's grace after the end of an offer or coupon: who ordered in time, or within it, may still be typing a card. */
const graceMinutes = sql<number>`coalesce((
  select c.settings -> 'price_grace_minutes' from ${checkoutCustomizations} c where c.seller_id = ${sales.sellerId}), '0')`.mapWith(
  (stored: unknown) => mergeCheckoutSettings({ price_grace_minutes: stored }).price_grace_minutes,
);

/** For a query on sales: whether the seller has switched this setting of the checkout off. */
export function isSwitchedOff(setting: "enable_pix" | "enable_card"): SQL<boolean> {
  return sql<boolean>`exists (select from checkout_customizations c
    where c.seller_id = ${sales.sellerId} and c.settings ->> ${setting} in ('false', '0'))`;
}

/** The columns of a query on sales that decide whether another payment of it may be requested. */
export const payableOrderColumns = {
  anonymizedAt: sales.anonymizedAt,
  couponCode: sales.couponCode,
  offerName: sales.offerName,
  isForSale,
  isBumpGone,
  isPaymentAnnounced,
  hasReceived,
  hasMismatch,
  graceMinutes,
  isPixOff: isSwitchedOff("enable_pix"),
};

export type PayableOrder = {
  anonymizedAt: Date | null;
  couponCode: string | null;
  offerName: string | null;
  isForSale: boolean;
  /** One of its bumps is not for sale any more. */
  isBumpGone: boolean;
  isPaymentAnnounced: boolean;
  hasReceived: boolean;
  hasMismatch: boolean;
  /** How long after the end of its offer or coupon it can still be paid. */
  graceMinutes: number;
  /** The seller takes no payments now, by card either. */
  isPixOff: boolean;
};

/**
 * Refuses another payment of an order that was anonymized, is being confirmed as paid, was paid with another amount, is not for
 * sale any more with all that it contains, or whose seller takes no payments now. A code that can be paid stays valid.
 * @param chargedNote what a refusal states about the buyer's money: see `chargedText`
 * @throws Refusal conflict, or OrderRefusal bump-gone or pix-off, with a message for the buyer
 */
export function refuseUnpayable(order: PayableOrder, chargedNote: string): void {
  if (order.anonymizedAt) {
    const message = order.hasReceived
      ? ANONYMIZED_MESSAGE
      : `${ANONYMIZED_MESSAGE} ${chargedNote} por este pedido.`;
    throw new Refusal("conflict", message);
  }
  if (order.isPaymentAnnounced) throw paymentRefusal(ANNOUNCED_MESSAGE);
  if (order.hasMismatch) throw paymentRefusal(MISMATCH);
  if (!order.isForSale) throw new Refusal("conflict", notForSaleMessage(chargedNote));
  if (order.isBumpGone) throw new OrderRefusal("bump-gone", bumpGoneMessage(chargedNote));
  if (order.isPixOff) throw new OrderRefusal("pix-off", `${NO_PAYMENTS} ${chargedNote}.`);
}

/**
 * Reserves the places and the use of the coupon that an order lost when its last charge ended, or that one by card needs.
 * @param isSameAttempt another account creates the code instead of one that had reserved them: an end between the two is the
 * providers' delay, not the buyer's
 * @throws Refusal offer-not-valid or coupon-not-valid, or OrderRefusal offer-sold-out where fewer units are left than it has
 */
export async function reserveAgain(
  tx: Tx,
  sale: { id: string; sellerId: string },
  { offerName, couponCode, graceMinutes }: Pick<PayableOrder, "offerName" | "couponCode" | "graceMinutes">,
  chargedNote: string,
  { isSameAttempt = false } = {},
): Promise<void> {
  const graceMs = isSameAttempt ? null : graceMinutes * MINUTE;
  if (offerName && !(await reserveOfferAgain(tx, sale, graceMs)))
    throw (
      (await findFewLeftOfOrder(tx, sale, graceMs, chargedNote)) ??
      endedRefusal("offer-not-valid", offerEndedMessage(offerName, chargedNote))
    );
  // At its field: the form shows the prices without it, since the same order would only be refused again.
  if (couponCode && !(await reserveCouponAgain(tx, sale, graceMs)))
    throw endedRefusal("coupon-not-valid", couponEndedMessage(couponCode, chargedNote), "coupon");
}

function endedRefusal(rule: OrderRule | CouponRule, message: string, field?: string): Refusal {
  return new Refusal("conflict", message, field, undefined, rule);
}
