import type { ProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import type { AmountLimits } from "#app/domain/order/refuse-amount.ts";
import { type Checkout, findCheckout } from "#app/domain/storefront/find-checkout.server.ts";

/** What paying a seller brings with it. */
export type PayTerms = {
  /** What the provider obliges the seller to say; null where nothing. */
  notice: string | null;
  /** Whether the provider needs the payer's CPF or CNPJ. */
  needsDocument: boolean;
  /** What amounts a PIX is made of; null where nobody makes one for this seller now. */
  limits: AmountLimits | null;
};

/** The terms of the provider a seller is paid through; none where there is no such provider. */
export async function payTerms(sellerId: string): Promise<PayTerms> {
  const provider = (await findGateway(sellerId))?.provider;
  if (!provider) return { notice: null, needsDocument: false, limits: null };
  const { notice, needsDocument, minimumCents, maximumCents } = provider;
  return { notice, needsDocument, limits: { minimumCents, maximumCents } };
}

/** A checkout with the terms of its seller's provider: it asks for the document where the provider needs it. */
export async function findCheckoutTerms(
  ref: ProductRef,
): Promise<(Checkout & Pick<PayTerms, "notice" | "limits">) | null> {
  const checkout = await findCheckout(ref);
  return checkout && withTerms(checkout);
}

/** The same of a checkout that was found already. */
export async function withTerms(checkout: Checkout): Promise<Checkout & Pick<PayTerms, "notice" | "limits">> {
  const { notice, needsDocument, limits } = await payTerms(checkout.product.sellerId);
  const { settings } = checkout;
  const require_document = settings.require_document || needsDocument;
  return { ...checkout, notice, limits, settings: { ...settings, require_document } };
}
