import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import {
  isForSaleSql,
  type ProductForSale,
  type ProductRef,
  productColumnsOf,
  toProductForSale,
} from "#app/domain/catalog/find-for-sale.server.ts";
import {
  type Advertiser,
  advertisersColumn,
  findAdvertisers,
  toAdvertisers,
} from "#app/domain/delivery/advertisers.server.ts";
import {
  findCardGateway,
  findGateway,
  type Gateway,
  gatewayColumns,
  isAccountOf,
  listGateways,
  takesCardsOf,
} from "#app/domain/gateway/find-gateway.server.ts";
import type { AmountLimits } from "#app/domain/order/order-refusal.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import {
  type Checkout,
  findStorefront,
  storefrontColumns,
  toStorefront,
} from "#app/domain/storefront/find-storefront.server.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** The conditions of the provider that a seller is paid through. */
type PaymentTerms = {
  /** A text that the provider obliges the seller to show; null where none. */
  warning: string | null;
  /** Whether the provider needs the payer's CPF or CNPJ. */
  needsDocument: boolean;
  /** Whether it needs the payer's e-mail. */
  needsEmail: boolean;
  /** The amounts for which a PIX is created; null where the seller has no provider now. */
  limits: AmountLimits | null;
};

/** Empty where there is no provider. */
function toPaymentTerms(gateway: Gateway | null): PaymentTerms {
  if (!gateway) return { warning: null, needsDocument: false, needsEmail: false, limits: null };
  const { warning, needsDocument, needsEmail, minimumCents, maximumCents } = gateway.provider;
  return { warning, needsDocument, needsEmail, limits: { minimumCents, maximumCents } };
}

/**
 * A checkout with the terms of its seller's provider: the document is required where the provider needs it. `advertisers` are
 * notified of its sales, and the buyer is asked for consent.
 */
export type CheckoutTerms = Checkout &
  Pick<PaymentTerms, "warning" | "limits"> & {
    advertisers: Advertiser[];
    /** Whether it can be paid with a card, too. */
    takesCards: boolean;
    /** What paying by PIX takes off, in percent; 0 where PIX is the only method. */
    pixPercent: number;
  };

/** What a buyer saw before they sent the form: the price tier, null where none was shown. `isOrder`: see `SeenOffer`. */
type Seen = { offerId: string | null; isOrder: boolean };

/** The data of a checkout page, also for the form of a buyer who saw this price tier; null where nothing is for sale there. */
export async function findCheckoutTerms(
  ref: ProductRef,
  seenOfferId: string | null = null,
): Promise<CheckoutTerms | null> {
  const seen = { offerId: seenOfferId, isOrder: false };
  return (await findOrderableCheckout(ref, seen))?.checkout ?? null;
}

/**
 * The same with the gateway accounts that an order may be paid through, whose keys must never reach a page. Its terms are the
 * first one's.
 */
export async function findOrderableCheckout(
  ref: ProductRef,
  { offerId, isOrder }: Seen,
): Promise<{ checkout: CheckoutTerms; gateways: Gateway[] } | null> {
  // One row for each of the seller's gateway accounts.
  const rows = await db
    .select({
      product: productColumnsOf(ref),
      shop: storefrontColumns,
      account: gatewayColumns,
      advertisers: advertisersColumn,
      takesCards: takesCardsOf(sellers.id),
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .leftJoin(gatewayAccounts, isAccountOf(sellers.id))
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(isForSaleSql(ref));
  const [first] = rows;
  if (!first) return null;
  const gateways = listGateways(rows.map(({ account }) => account));
  const storefront = toStorefront(first.shop);
  const seen = { id: offerId, graceMs: storefront.settings.price_grace_minutes * MINUTE, isOrder };
  const checkout = { product: toProductForSale(first.product, seen), ...storefront };
  const extras = { advertisers: toAdvertisers(first.advertisers), takesCards: first.takesCards };
  return { checkout: withTerms(checkout, gateways[0] ?? null, extras), gateways };
}

/** A seller's preview of a product's checkout, with settings that are not saved yet. */
export async function previewCheckoutTerms(
  product: ProductForSale,
  settings?: CheckoutSettings,
): Promise<CheckoutTerms> {
  const [shop, gateway, advertisers, cardGateway] = await Promise.all([
    findStorefront(product.sellerId),
    findGateway(product.sellerId),
    findAdvertisers(product.id),
    findCardGateway(product.sellerId),
  ]);
  const checkout = { product, ...shop, ...(settings ? { settings } : {}) };
  return withTerms(checkout, gateway, { advertisers, takesCards: cardGateway !== null });
}

function withTerms(
  checkout: Checkout,
  gateway: Gateway | null,
  { advertisers, takesCards }: Pick<CheckoutTerms, "advertisers" | "takesCards">,
): CheckoutTerms {
  const { warning, needsDocument, needsEmail, limits } = toPaymentTerms(gateway);
  const { settings } = checkout;
  const require_document = settings.require_document || needsDocument;
  const require_email = settings.require_email || needsEmail;
  const required = { ...settings, require_document, require_email };
  // A card is offered beside PIX, to buyers who give an e-mail.
  const offersCards =
    takesCards && limits !== null && require_email && settings.enable_card && settings.enable_pix;
  const pixPercent = offersCards ? settings.pix_discount_percent : 0;
  return {
    ...checkout,
    warning,
    limits,
    advertisers,
    takesCards: offersCards,
    pixPercent,
    settings: required,
  };
}
