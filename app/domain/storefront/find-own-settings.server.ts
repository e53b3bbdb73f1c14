import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { mergeThankYouSettings, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** A seller's settings over the defaults, for editing. Version 0 was never saved. */
export type VersionedSettings<T> = { settings: T; version: number };

export async function findOwnCheckoutSettings(
  sellerId: string,
): Promise<VersionedSettings<CheckoutSettings>> {
  const row = await findRow(checkoutCustomizations, sellerId);
  return { settings: mergeCheckoutSettings(row?.settings), version: row?.version ?? 0 };
}

export async function findOwnThankYouSettings(
  sellerId: string,
): Promise<VersionedSettings<ThankYouSettings>> {
  const row = await findRow(thankYouCustomizations, sellerId);
  return { settings: mergeThankYouSettings(row?.settings), version: row?.version ?? 0 };
}

async function findRow(
  table: typeof checkoutCustomizations | typeof thankYouCustomizations,
  sellerId: string,
) {
  const [row] = await db.select().from(table).where(eq(table.sellerId, sellerId));
  return row;
}
