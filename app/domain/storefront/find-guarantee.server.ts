import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/** The guarantee that a sale's seller gives on the checkout, in days; never shorter than the law's. */
export async function findGuarantee(db: Db, saleId: string): Promise<number> {
  const [row] = await db
    .select({ settings: checkoutCustomizations.settings })
    .from(sales)
    .innerJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .where(eq(sales.id, saleId));
  return mergeCheckoutSettings(row?.settings).guarantee_days;
}
