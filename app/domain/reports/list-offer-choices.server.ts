import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** More than anybody picks from a list. */
const MAX_CHOICES = 300;

/** A seller's offers by product, to filter by: those not deleted. */
export function listOfferChoices(
  sellerId: string,
): Promise<{ id: string; name: string; productName: string }[]> {
  return db
    .select({ id: offers.id, name: offers.name, productName: products.name })
    .from(offers)
    .innerJoin(products, and(eq(products.sellerId, offers.sellerId), eq(products.id, offers.productId)))
    .where(and(eq(offers.sellerId, sellerId), isNull(offers.archivedAt)))
    .orderBy(asc(products.name), asc(offers.position), asc(offers.id))
    .limit(MAX_CHOICES);
}
