import { eq, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import {
  mergeThankYouSettings,
  publicThankYouSettings,
  type ThankYouSettings,
} from "#app/domain/storefront/thank-you-settings.ts";

/**
 * A seller's thank-you page, with guarantee, contact (empty if none is set) and colours from the checkout's settings.
 */
export type ThankYou = {
  settings: ThankYouSettings;
  checkout: CheckoutSettings;
  guaranteeDays: number;
  contact: string;
  store: Store | null;
};

/** A seller's thank-you settings over the defaults; a page that is switched off uses the defaults. */
export async function findThankYou(sellerId: string, tx: Db = db): Promise<ThankYou> {
  const [row] = await tx
    .select({
      stored: thankYouCustomizations.settings,
      checkout: checkoutCustomizations.settings,
      contact: sql<string>`coalesce(${checkoutCustomizations.settings} ->> 'support_contact', '')`,
      store: storeColumn,
    })
    .from(sellers)
    .leftJoin(thankYouCustomizations, eq(thankYouCustomizations.sellerId, sellers.id))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  const checkout = mergeCheckoutSettings(row?.checkout);
  return {
    settings: publicThankYouSettings(mergeThankYouSettings(row?.stored)),
    checkout,
    guaranteeDays: checkout.guarantee_days,
    contact: row?.contact ?? "",
    store: row?.store ?? null,
  };
}

/** The seller of a product by its number, for sale or not; null if there is none. */
export async function findProductSeller(productId: string): Promise<string | null> {
  if (!/^\d{1,15}$/.test(productId)) return null;
  const [row] = await db
    .select({ sellerId: products.sellerId })
    .from(products)
    .where(eq(products.id, Number(productId)));
  return row?.sellerId ?? null;
}
