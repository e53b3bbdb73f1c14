import type { UpsellAcceptance } from "#app/domain/order/accept-upsell.server.ts";
import type { CheckoutOrder } from "#app/domain/order/order.ts";

/** What a browser sends that orders a product with its bump. */
export function orderOf(
  { product, bump }: { product: { id: number }; bump: { id: number } },
  email: string,
): CheckoutOrder {
  return {
    product: { id: product.id },
    fields: {
      customer_name: "Bia Compradora",
      customer_email: email,
      customer_email_confirmation: email,
      customer_phone: "(11) 98765-4321",
      customer_document: "529.982.247-25",
      order_bumps: [String(bump.id)],
    },
    coupons: { typed: null, linked: null },
    campaign: [],
    ip: null,
    ads: { hasConsent: false, agent: "", host: "", cookies: new Map() },
    seenOfferId: null,
    seenPrices: "",
    seenGuaranteeDays: null,
    device: null,
    seenAt: null,
    timerEndsAt: 0,
    isRepurchase: false,
    buyerContext: { client: email, userAgent: "test", placedSaleIds: [] },
  };
}

type UpsellTerms = Exclude<UpsellAcceptance["terms"], Error>;

/** An upsell is accepted whatever it costs, without a guarantee. */
export const ANY_TERMS: Pick<UpsellAcceptance, "seenCents"> & { terms: UpsellTerms } = {
  seenCents: null,
  terms: { limits: { minimumCents: 0, maximumCents: null }, guaranteeDays: null },
};
