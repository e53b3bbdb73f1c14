import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { itemNumber, itemUuid } from "#app/domain/delivery/webhook/single-orders.server.ts";

/** An item on sale and its code in each format. */
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
  const [main, bumps, upsellRows] = await Promise.all([
    db.select({ id: products.id, name: products.name }).from(products).where(own).orderBy(asc(products.name)),
    db
      .select({ id: orderBumps.id, name: orderBumps.name })
      .from(orderBumps)
      .innerJoin(products, eq(products.id, orderBumps.productId))
      .where(own)
      .orderBy(asc(orderBumps.name)),
    db
      .select({ id: upsells.id, name: upsells.name })
      .from(upsells)
      .innerJoin(products, eq(products.id, upsells.productId))
      .where(own)
      .orderBy(asc(upsells.name)),
  ]);
  return [
    ...main.map((row) => codesOf("product", row)),
    ...bumps.map((row) => codesOf("bump", row)),
    ...upsellRows.map((row) => codesOf("offer", row)),
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
