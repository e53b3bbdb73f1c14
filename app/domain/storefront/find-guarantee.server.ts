import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/**
 * The guarantee that a sale was ordered with, in days, whatever its seller gives now; of a sale from before it was kept,
 * what they give now. Never shorter than the law's.
 */
export async function findGuarantee(db: Db, saleId: string): Promise<number> {
  const [row] = await db
    .select({ days: sales.guaranteeDays, settings: checkoutCustomizations.settings })
    .from(sales)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .where(eq(sales.id, saleId));
  return row?.days ?? mergeCheckoutSettings(row?.settings).guarantee_days;
}
