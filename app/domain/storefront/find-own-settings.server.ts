import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { mergeThankYouSettings, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** A seller's settings over the defaults, as their seller edits them. Version 0 was never saved. */
export type OwnSettings<T> = { settings: T; version: number };

export async function findOwnCheckoutSettings(sellerId: string): Promise<OwnSettings<CheckoutSettings>> {
  const row = await find(checkoutCustomizations, sellerId);
  return { settings: mergeCheckoutSettings(row?.settings), version: row?.version ?? 0 };
}

export async function findOwnThankYouSettings(sellerId: string): Promise<OwnSettings<ThankYouSettings>> {
  const row = await find(thankYouCustomizations, sellerId);
  return { settings: mergeThankYouSettings(row?.settings), version: row?.version ?? 0 };
}

async function find(table: typeof checkoutCustomizations | typeof thankYouCustomizations, sellerId: string) {
  const [row] = await db.select().from(table).where(eq(table.sellerId, sellerId));
  return row;
}
