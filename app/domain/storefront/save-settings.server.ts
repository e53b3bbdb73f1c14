import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** Replaces a seller's checkout settings; every process draws the seller's checkouts anew. */
export async function saveCheckoutSettings(sellerId: string, settings: CheckoutSettings): Promise<void> {
  await save(checkoutCustomizations, sellerId, settings);
}

/** Replaces a seller's thank-you settings. */
export async function saveThankYouSettings(sellerId: string, settings: ThankYouSettings): Promise<void> {
  await save(thankYouCustomizations, sellerId, settings);
}

type Table = typeof checkoutCustomizations | typeof thankYouCustomizations;

async function save(table: Table, sellerId: string, settings: Record<string, unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insert(table)
      .values({ sellerId, settings })
      .onConflictDoUpdate({
        target: table.sellerId,
        set: { settings, version: sql`${table.version} + 1`, updatedAt: new Date() },
      });
    await notify(tx, "storefront", `seller:${sellerId}`);
  });
}
