import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import type { PlaceholderValues } from "#app/domain/mail/template/placeholders.ts";
import { buttonColors } from "#app/domain/storefront/build-palette.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";

/**
 * The seller's name in mails and the button's colours, values of a template's placeholders; and what the footer says: the
 * guarantee in days, and the business data.
 */
export type Brand = Pick<PlaceholderValues, "brand_name" | "button_color" | "button_text_color"> & {
  guaranteeDays?: number;
  store?: Store | null;
};

const settings = checkoutCustomizations.settings;

/** The shop's settings that `buttonColors` needs. */
export const shopColorsSql = sql<unknown>`jsonb_build_object(
  'primary_color', ${settings}->'primary_color', 'button_color', ${settings}->'button_color')`;

/** The name is the checkout's brand, else the company, else the seller's own. */
export async function findBrand(sellerId: string): Promise<Brand> {
  const brand = sql`${settings}->>'brand_name'`;
  const [row] = await db
    .select({
      name: sql<string>`coalesce(nullif(${brand}, ''), ${sellerNameSql})`,
      colors: shopColorsSql,
      days: sql<unknown>`${settings}->'guarantee_days'`,
      store: storeColumn,
    })
    .from(sellers)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  return {
    brand_name: row?.name ?? "",
    ...buttonColors(row?.colors),
    guaranteeDays: mergeCheckoutSettings({ guarantee_days: row?.days }).guarantee_days,
    store: row?.store ?? null,
  };
}
