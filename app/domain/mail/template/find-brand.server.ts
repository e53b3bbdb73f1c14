import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import type { Values } from "#app/domain/mail/template/placeholders.ts";
import { buttonColors } from "#app/domain/storefront/palette.ts";

/** What a seller's mails call them, and the colours of the button: values of a template's placeholders. */
export type Brand = Pick<Values, "brand_name" | "button_color" | "button_text_color">;

const settings = checkoutCustomizations.settings;

/** What `buttonColors` needs of a shop's settings. */
export const shopColors = sql<unknown>`jsonb_build_object(
  'primary_color', ${settings}->'primary_color', 'button_color', ${settings}->'button_color')`;

/** The name is the checkout's brand, else the company, else the seller's own. */
export async function findBrand(sellerId: string): Promise<Brand> {
  const brand = sql`${settings}->>'brand_name'`;
  const [row] = await db
    .select({
      name: sql<string>`coalesce(nullif(${brand}, ''), nullif(${sellers.company}, ''), ${sellers.name})`,
      colors: shopColors,
    })
    .from(sellers)
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sellers.id))
    .where(eq(sellers.id, sellerId));
  return { brand_name: row?.name ?? "", ...buttonColors(row?.colors) };
}
