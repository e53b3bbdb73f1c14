import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { rejectedDisputesOf } from "#app/domain/sale/dispute/rejected-disputes.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { guaranteeEndsAt } from "#app/domain/storefront/guarantee-end.ts";

/**
 * Until when a purchase's buyer has a right to a refund: by the guarantee it was ordered with, whatever the seller offers now; for
 * older sales without a stored one, by the current one. Never shorter than the legal minimum.
 */
export async function findGuaranteeEnd(
  at: Db,
  { saleId, paidAt }: { saleId: string; paidAt: Date },
): Promise<Date> {
  const [row] = await at
    .select({
      days: sales.guaranteeDays,
      settings: checkoutCustomizations.settings,
      rejected: rejectedDisputesOf(sql`${sales}`),
    })
    .from(sales)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .where(eq(sales.id, saleId));
  const days = row?.days ?? mergeCheckoutSettings(row?.settings).guarantee_days;
  return guaranteeEndsAt(paidAt, days, row?.rejected);
}
