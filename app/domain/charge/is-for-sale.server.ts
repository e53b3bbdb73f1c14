import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";
import { isOrderForSale, isOrderParentOver } from "#app/domain/catalog/find-for-sale.server.ts";

/** For a query on sales: whether what an unpaid order is for is still sold; an upsell only while the purchase before it stands. */
export const isForSale = sql<boolean>`(${isOrderForSale(sql`${sales}`)} and not ${isOrderParentOver(sql`${sales}`)})`;
