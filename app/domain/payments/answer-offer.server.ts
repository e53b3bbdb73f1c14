import { startPix } from "#app/domain/payments/start-pix.server.ts";
import { acceptOffer } from "#app/domain/sales/accept-offer.server.ts";
import type { Placer } from "#app/domain/sales/placer.ts";
import { readSeenTotal } from "#app/domain/sales/seen-prices.ts";
import type { Purchase } from "#app/domain/sales/show-purchase.server.ts";
import { declineOffers } from "#app/domain/storefront/decline-offers.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/**
 * What a buyer's form says to an offer: `accept`, `decline` (one) or `skip` (all that are left).
 * @returns the sale to pay now, null where nothing was taken
 * @throws Refusal not-found where purchase and offer do not fit; conflict where the offer's time is over or its price rose; too-many where they have placed too many orders
 * without paying
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
    const seenCents = readSeenTotal(String(form.get("seen_prices") ?? ""), []);
    const { saleId } = await acceptOffer({ saleId: purchase.saleId, offerId, seenCents, placer });
    // Where the provider gives no PIX now, the sale's own page says so and offers another try.
    await startPix(saleId).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
    return { payFor: saleId };
  }
  if (intent === "skip") await declineOffers(purchase, null);
  else if (intent === "decline" && isOne) await declineOffers(purchase, offerId);
  return { payFor: null };
}
