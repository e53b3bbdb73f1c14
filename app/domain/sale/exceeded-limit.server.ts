import { sql } from "drizzle-orm";
import { ofSale } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { couponUses, offerUses } from "#app/db/schema/uses.server.ts";
import type { ExceededLimit } from "#app/domain/sale/exceeded-limit.ts";

/** The limit that a sale exceeded because it was paid after its units or its use had been released; null where none. */
export const exceededLimitSql = sql<ExceededLimit | null>`case
  when ${sales.offerId} is not null and exists (select from ${offerUses} where ${ofSale(offerUses)} and ${offerUses.isOverLimit})
    then json_build_object('of', 'offer', 'name', ${sales.offerName})
  when ${sales.couponId} is not null and exists (select from ${couponUses} where ${ofSale(couponUses)} and ${couponUses.isOverLimit})
    then json_build_object('of', 'coupon', 'name', ${sales.couponCode}) end`;
