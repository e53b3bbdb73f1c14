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
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";

/** A checkout as its seller made it; `store` is null where they have not said who they are. */
export type Checkout = {
  product: ProductForSale;
  settings: CheckoutSettings;
  contact: string;
  store: Store | null;
};

/** What all pages of a seller have in common. */
export type Shop = Pick<Checkout, "settings" | "contact" | "store">;

/** A checkout as its seller made it; null where nothing is for sale there. */
export async function findCheckout(ref: ProductRef): Promise<Checkout | null> {
  const product = await findForSale(ref);
  return product ? { product, ...(await findCheckoutSettings(product.sellerId)) } : null;
}

/**
 * A seller's checkout settings over the defaults, and how buyers reach the seller: what they chose to show, empty where
 * nothing. The address they sign in with is nobody's business.
 */
export async function findCheckoutSettings(sellerId: string, tx: Db = db): Promise<Shop> {
  const [row] = await tx
    .select(settingsColumns)
    .from(sellers)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  return settingsOf(row);
}

/** What a query reads of `sellers` and of their `checkout_customizations`, which may have no row. */
export const settingsColumns = {
  // As SQL: by a bare column of a table without a row Drizzle would take the whole group for missing, the store with it.
  stored: sql<SettingsRow["stored"]>`${checkoutCustomizations.settings}`,
  contact: sql<string>`coalesce(${checkoutCustomizations.settings} ->> 'support_contact', '')`,
  store: storeColumn,
};

type SettingsRow = {
  stored: (typeof checkoutCustomizations.$inferSelect)["settings"] | null;
  contact: string;
  store: Store | null;
};

/** The settings that were read so. */
export function settingsOf(row: SettingsRow | null | undefined): Shop {
  return {
    settings: mergeCheckoutSettings(row?.stored),
    contact: row?.contact ?? "",
    store: row?.store ?? null,
  };
}
