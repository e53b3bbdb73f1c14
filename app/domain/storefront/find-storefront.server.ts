import { eq, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import type { ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";

/** A checkout with its seller's settings; `store` is null if they have not entered it. */
export type Checkout = {
  product: ProductForSale;
  settings: CheckoutSettings;
  contact: string;
  store: Store | null;
};

/** What all pages of a seller share. */
export type Storefront = Pick<Checkout, "settings" | "contact" | "store">;

/**
 * A seller's checkout settings over the defaults, and the contact they chose to show, empty if none. The sign-in
 * address is never shown.
 */
export async function findStorefront(sellerId: string, tx: Db = db): Promise<Storefront> {
  const [row] = await tx
    .select(storefrontColumns)
    .from(sellers)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  return toStorefront(row);
}

/** The columns of `sellers` and of their `checkout_customizations`, which may have no row. */
export const storefrontColumns = {
  // As SQL: for a bare column of a missing row Drizzle would treat the whole group as missing, with the store.
  stored: sql<StorefrontRow["stored"]>`${checkoutCustomizations.settings}`,
  contact: sql<string>`coalesce(${checkoutCustomizations.settings} ->> 'support_contact', '')`,
  store: storeColumn,
};

type StorefrontRow = {
  stored: (typeof checkoutCustomizations.$inferSelect)["settings"] | null;
  contact: string;
  store: Store | null;
};

/** The settings from such a row. */
export function toStorefront(row: StorefrontRow | null | undefined): Storefront {
  return {
    settings: mergeCheckoutSettings(row?.stored),
    contact: row?.contact ?? "",
    store: row?.store ?? null,
  };
}
