import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import {
  isForSaleAs,
  type ProductForSale,
  type ProductRef,
  productColumns,
} from "#app/domain/catalog/find-for-sale.server.ts";
import {
  findGateway,
  type Gateway,
  gatewayColumns,
  isAccountOf,
  openFirst,
} from "#app/domain/gateway/find-gateway.server.ts";
import type { AmountLimits } from "#app/domain/order/refuse-amount.ts";
import {
  type Checkout,
  findCheckoutSettings,
  settingsColumns,
  settingsOf,
} from "#app/domain/storefront/find-checkout.server.ts";

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
  return termsOf(await findGateway(sellerId));
}

function termsOf(gateway: Gateway | null): PayTerms {
  if (!gateway) return { notice: null, needsDocument: false, limits: null };
  const { notice, needsDocument, minimumCents, maximumCents } = gateway.provider;
  return { notice, needsDocument, limits: { minimumCents, maximumCents } };
}

/** A checkout with the terms of its seller's provider: it asks for the document where the provider needs it. */
export type CheckoutTerms = Checkout & Pick<PayTerms, "notice" | "limits">;

/** What a checkout page shows; null where nothing is for sale there. */
export async function findCheckoutTerms(ref: ProductRef): Promise<CheckoutTerms | null> {
  return (await findCheckoutToOrder(ref))?.checkout ?? null;
}

/** The same with the account that an order of it is paid through, whose key no page may see. */
export async function findCheckoutToOrder(
  ref: ProductRef,
): Promise<{ checkout: CheckoutTerms; gateway: Gateway | null } | null> {
  // A row for each account the seller is paid with.
  const rows = await db
    .select({ product: productColumns, shop: settingsColumns, account: gatewayColumns })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .leftJoin(gatewayAccounts, isAccountOf(sellers.id))
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(isForSaleAs(ref));
  const [first] = rows;
  if (!first) return null;
  const gateway = openFirst(rows.map(({ account }) => account));
  const checkout = { product: first.product, ...settingsOf(first.shop) };
  return { checkout: withTerms(checkout, gateway), gateway };
}

/** A product as its seller sees it before buyers do. */
export async function previewTerms(product: ProductForSale): Promise<CheckoutTerms> {
  const [shop, gateway] = await Promise.all([
    findCheckoutSettings(product.sellerId),
    findGateway(product.sellerId),
  ]);
  return withTerms({ product, ...shop }, gateway);
}

function withTerms(checkout: Checkout, gateway: Gateway | null): CheckoutTerms {
  const { notice, needsDocument, limits } = termsOf(gateway);
  const { settings } = checkout;
  const require_document = settings.require_document || needsDocument;
  return { ...checkout, notice, limits, settings: { ...settings, require_document } };
}
