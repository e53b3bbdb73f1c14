import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";

/** What a seller's mails call them: the checkout's brand, else the company, else their name. */
export async function findBrand(sellerId: string): Promise<string> {
  const brand = sql`${checkoutCustomizations.settings}->>'brand_name'`;
  const [row] = await db
    .select({
      brand: sql<string>`coalesce(nullif(${brand}, ''), nullif(${sellers.company}, ''), ${sellers.name})`,
    })
    .from(sellers)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  return row?.brand ?? "";
}
