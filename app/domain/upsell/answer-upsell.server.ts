import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import type { BuyerContext } from "#app/domain/order/order.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { findOpenRefundRequest } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import { declineUpsells } from "#app/domain/upsell/decline-upsells.server.ts";
import { isToBeRefunded } from "#app/domain/upsell/is-to-be-refunded.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * Handles a buyer's answer to an upsell: `accept`, `decline` (one) or `skip` (all that are left).
 * @returns the sale to pay now, null where nothing was accepted
 * @throws Refusal not-found where purchase and upsell do not belong together, or what `placeOrder` throws; offer-over where
 * the purchase was returned or disputed, or is to be refunded
 */
export async function answerUpsell(
  purchase: Purchase,
  form: FormData,
  buyerContext: Pick<BuyerContext, "client">,
): Promise<{ saleIdToPay: string | null }> {
  if (purchase.completedAt === null) throw notFound("A venda especificada não foi encontrada.");
  const intent = form.get("intent");
  const upsellId = Number(form.get("offer"));
  const isOne = Number.isSafeInteger(upsellId) && upsellId > 0;
  if (intent === "accept" && isOne) {
    if (purchase.status !== "completed")
      throw new OrderRefusal(
        "offer-over",
        "Esta compra foi devolvida ou contestada: ela não tem mais ofertas.",
      );
    if (isToBeRefunded({ ...purchase, refundRequest: await findOpenRefundRequest(purchase) }))
      throw new OrderRefusal("offer-over", "A devolução desta compra foi pedida: ela não tem mais ofertas.");
    const seenPrices = String(form.get("seen_prices") ?? "");
    // Where the provider creates no PIX now, the sale's page says so and offers another attempt.
    return { saleIdToPay: (await placeOrder({ purchase, upsellId, seenPrices, buyerContext })).saleId };
  }
  if (intent === "skip") await declineUpsells(purchase, null);
  else if (intent === "decline" && isOne) await declineUpsells(purchase, upsellId);
  return { saleIdToPay: null };
}
