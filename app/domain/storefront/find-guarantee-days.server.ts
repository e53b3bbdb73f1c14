import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/**
 * The guarantee a sale was ordered with, in days, whatever the seller offers now; for older sales without a stored one,
 * the current one. Never shorter than the legal minimum.
 */
export async function findGuaranteeDays(db: Db, saleId: string): Promise<number> {
  const [row] = await db
    .select({ days: sales.guaranteeDays, settings: checkoutCustomizations.settings })
    .from(sales)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .where(eq(sales.id, saleId));
  return row?.days ?? mergeCheckoutSettings(row?.settings).guarantee_days;
}
