import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isPaymentAnnounced } from "#app/domain/charge/find-payment-summary.server.ts";
import { reserveCouponAgain } from "#app/domain/coupon/reserve-coupon.server.ts";
import { isForSale } from "#app/domain/order/is-for-sale.server.ts";
import { reserveOfferAgain } from "#app/domain/order/reserve-offer.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

const notForSaleMessage = (chargedNote: string) =>
  `Este produto não está mais à venda. ${chargedNote}: se você já pagou um código anterior, o pagamento será reconhecido.`;
const couponEndedMessage = (code: string, chargedNote: string) =>
  `O cupom ${code} deste pedido não vale mais. ${chargedNote}. Faça um novo pedido na página do produto.`;
const offerEndedMessage = (name: string, chargedNote: string) =>
  `A oferta "${name}" deste pedido não vale mais. ${chargedNote}. Faça um novo pedido na página do produto.`;
const ANONYMIZED_MESSAGE = "Os dados deste pedido foram apagados. Faça um novo pedido na página do produto.";
const ANNOUNCED_MESSAGE =
  "Recebemos o aviso do seu pagamento e estamos confirmando. Não pague de novo: esta página avisa assim que terminar.";

/** Whether a payment was received, of any amount, refunded or not. */
const hasReceived = sql<boolean>`exists (
  select from charges c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.paid_cents is not null)`;

/** The columns of a query on sales that decide whether another payment of it may be requested. */
export const payableOrderColumns = {
  anonymizedAt: sales.anonymizedAt,
  couponCode: sales.couponCode,
  offerName: sales.offerName,
  isForSale,
  isPaymentAnnounced,
  hasReceived,
};

export type PayableOrder = {
  anonymizedAt: Date | null;
  couponCode: string | null;
  offerName: string | null;
  isForSale: boolean;
  isPaymentAnnounced: boolean;
  hasReceived: boolean;
};

/**
 * Refuses another payment of an order that was anonymized, is being confirmed as paid, or is not for sale any more.
 * @param chargedNote what a refusal states about the buyer's money: see `chargedText`
 * @throws Refusal conflict, with a message for the buyer
 */
export function refuseUnpayable(order: PayableOrder, chargedNote: string): void {
  if (order.anonymizedAt) {
    const message = order.hasReceived
      ? ANONYMIZED_MESSAGE
      : `${ANONYMIZED_MESSAGE} ${chargedNote} por este pedido.`;
    throw new Refusal("conflict", message);
  }
  if (order.isPaymentAnnounced) throw new Refusal("conflict", ANNOUNCED_MESSAGE);
  if (!order.isForSale) throw new Refusal("conflict", notForSaleMessage(chargedNote));
}

/** Reserves the places and the use of the coupon that an order lost when its last charge ended. @throws Refusal conflict */
export async function reserveAgain(
  tx: Tx,
  sale: { id: string; sellerId: string },
  { offerName, couponCode }: Pick<PayableOrder, "offerName" | "couponCode">,
  chargedNote: string,
): Promise<void> {
  if (offerName && !(await reserveOfferAgain(tx, sale)))
    throw new Refusal("conflict", offerEndedMessage(offerName, chargedNote));
  if (couponCode && !(await reserveCouponAgain(tx, sale)))
    throw new Refusal("conflict", couponEndedMessage(couponCode, chargedNote));
}
