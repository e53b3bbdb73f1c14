import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { declineOffers } from "#app/domain/offer/decline-offers.server.ts";
import type { Placer } from "#app/domain/order/placer.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * What a buyer's form says to an offer: `accept`, `decline` (one) or `skip` (all that are left).
 * @returns the sale to pay now, null where nothing was taken
 * @throws Refusal not-found where purchase and offer do not fit, or what `placeOrder` refuses
 */
export async function answerOffer(
  purchase: Purchase,
  form: FormData,
  placer: Pick<Placer, "client">,
): Promise<{ payFor: string | null }> {
  if (purchase.status !== "completed") throw notFound("A venda especificada não foi encontrada.");
  const intent = form.get("intent");
  const offerId = Number(form.get("offer"));
  const isOne = Number.isSafeInteger(offerId) && offerId > 0;
  if (intent === "accept" && isOne) {
    const seenPrices = String(form.get("seen_prices") ?? "");
    // Where the provider gives no PIX now, the sale's own page says so and offers another try.
    return { payFor: (await placeOrder({ purchase, offerId, seenPrices, placer })).saleId };
  }
  if (intent === "skip") await declineOffers(purchase, null);
  else if (intent === "decline" && isOne) await declineOffers(purchase, offerId);
  return { payFor: null };
}
