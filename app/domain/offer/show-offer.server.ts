import { payTerms } from "#app/domain/checkout/pay-terms.server.ts";
import { nextOffer, type ShownOffer } from "#app/domain/offer/next-offer.server.ts";
import { countPaidSales } from "#app/domain/storefront/count-paid-sales.server.ts";

/** The next offer of a purchase with what is told beside it. */
export type OfferShown = {
  productName: string;
  /** Whether mails can reach the buyer. */
  hasMail: boolean;
  offer: ShownOffer;
  /** How many sales of the offer itself were paid; null where there is nothing to boast of. */
  paidSales: number | null;
  /** What the provider obliges the seller to say; null where nothing. */
  notice: string | null;
};

/** What the next offer of a paid sale is shown with; null after the last. */
export async function showOffer(sale: {
  saleId: string;
  productId: number;
  sellerId: string;
  productName: string;
  hasMail: boolean;
}): Promise<OfferShown | null> {
  const offer = await nextOffer(sale);
  if (!offer) return null;
  const { notice } = await payTerms(sale.sellerId);
  const { productName, hasMail } = sale;
  return { productName, hasMail, offer, paidSales: await countPaidSales(offer.id), notice };
}
