import { eq, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";
import {
  mergeThankYouSettings,
  shownThankYou,
  type ThankYouSettings,
} from "#app/domain/storefront/thank-you-settings.ts";

/** A seller's thank-you page, with what the checkout's settings say about guarantee, contact (empty where none is chosen) and colours. */
export type ThankYou = {
  settings: ThankYouSettings;
  checkout: CheckoutSettings;
  guaranteeDays: number;
  contact: string;
  store: Store | null;
};

/** A seller's thank-you settings over the defaults; a page switched off is the default one. */
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
    settings: shownThankYou(mergeThankYouSettings(row?.stored)),
    checkout,
    guaranteeDays: checkout.guarantee_days,
    contact: row?.contact ?? "",
    store: row?.store ?? null,
  };
}
