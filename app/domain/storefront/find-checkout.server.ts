import { eq, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import {
  findForSale,
  type ProductForSale,
  type ProductRef,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/** A checkout as its seller made it. */
export type Checkout = { product: ProductForSale; settings: CheckoutSettings; contact: string };

/** A checkout as its seller made it; null where nothing is for sale there. */
export async function findCheckout(ref: ProductRef): Promise<Checkout | null> {
  const product = await findForSale(ref);
  return product ? { product, ...(await findCheckoutSettings(product.sellerId)) } : null;
}

/**
 * A seller's checkout settings over the defaults, and how buyers reach the seller: what they chose to show, empty where
 * nothing. The address they sign in with is nobody's business.
 */
export async function findCheckoutSettings(
  sellerId: string,
  tx: Db = db,
): Promise<Pick<Checkout, "settings" | "contact">> {
  const [row] = await tx
    .select(settingsColumns)
    .from(sellers)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  return settingsOf(row);
}

/** What a query reads of a seller's `checkout_customizations`, which may have no row. */
export const settingsColumns = {
  stored: checkoutCustomizations.settings,
  contact: sql<string>`coalesce(${checkoutCustomizations.settings} ->> 'support_contact', '')`,
};

type SettingsRow = {
  stored: (typeof checkoutCustomizations.$inferSelect)["settings"] | null;
  contact: string;
};

/** The settings that were read so. */
export function settingsOf(row: SettingsRow | null | undefined): Pick<Checkout, "settings" | "contact"> {
  return { settings: mergeCheckoutSettings(row?.stored), contact: row?.contact ?? "" };
}
