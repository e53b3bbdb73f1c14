import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { nameContains } from "#app/domain/catalog/list-products.server.ts";
import { MAX_PRODUCTS } from "#app/domain/delivery/form-card.ts";

/** The text by which a form's products are searched: their names contain it. */
export const readProductSearch = (text: unknown) =>
  typeof text === "string" ? text.trim().slice(0, 100) : "";

/**
 * The products to choose from: the chosen ones, so that a form keeps them, then the first by name whose names contain `search`, and
 * whether there are more of these.
 */
export async function listProductChoices(sellerId: string, chosenIds: number[], search: string) {
  const isChosen = sql<boolean>`${products.id} = any(${`{${chosenIds.join(",")}}`}::bigint[])`;
  const rows = await db
    .select({ id: products.id, name: products.name, isChosen })
    .from(products)
    .where(
      and(
        eq(products.sellerId, sellerId),
        isNull(products.archivedAt),
        search === "" ? undefined : or(isChosen, nameContains(search)),
      ),
    )
    .orderBy(sql`${isChosen} desc`, asc(products.name), asc(products.id))
    .limit(chosenIds.length + MAX_PRODUCTS + 1);
  const shown = rows.filter((row) => row.isChosen).length + MAX_PRODUCTS;
  return {
    products: rows.slice(0, shown).map(({ id, name }) => ({ id: String(id), name })),
    isMore: rows.length > shown,
  };
}
