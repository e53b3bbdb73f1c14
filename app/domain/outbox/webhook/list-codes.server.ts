import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { itemNumber, itemUuid } from "#app/domain/outbox/webhook/single-orders.server.ts";

/** A thing on sale and what each form calls it. */
export type ItemCodes = {
  kind: "product" | "bump" | "offer";
  id: number;
  name: string;
  standard: string;
  kiwify: string;
  hotmart: string;
};

/** All that a seller sells, products first, by name. */
export async function listCodes(sellerId: string): Promise<ItemCodes[]> {
  const own = and(eq(products.sellerId, sellerId), isNull(products.archivedAt));
  const [main, bumps, offers] = await Promise.all([
    db.select({ id: products.id, name: products.name }).from(products).where(own).orderBy(asc(products.name)),
    db
      .select({ id: orderBumps.id, name: orderBumps.name })
      .from(orderBumps)
      .innerJoin(products, eq(products.id, orderBumps.productId))
      .where(own)
      .orderBy(asc(orderBumps.name)),
    db
      .select({ id: upsellOffers.id, name: upsellOffers.name })
      .from(upsellOffers)
      .innerJoin(products, eq(products.id, upsellOffers.productId))
      .where(own)
      .orderBy(asc(upsellOffers.name)),
  ]);
  return [
    ...main.map((row) => codesOf("product", row)),
    ...bumps.map((row) => codesOf("bump", row)),
    ...offers.map((row) => codesOf("offer", row)),
  ];
}

function codesOf(kind: ItemCodes["kind"], { id, name }: { id: number; name: string }): ItemCodes {
  const item = { kind, itemId: id, id: "" };
  return {
    kind,
    id,
    name,
    standard: kind === "product" ? String(id) : `${kind}-${id}`,
    kiwify: itemUuid(item),
    hotmart: String(itemNumber(item)),
  };
}
