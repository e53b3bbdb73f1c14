import { and, asc, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** A product as lists show it. Money in cents. */
export type ListedProduct = {
  id: number;
  name: string;
  description: string | null;
  priceCents: number;
  imageUrl: string | null;
  checkoutSlug: string | null;
  active: boolean;
  createdAt: Date;
};

export type ProductPage = {
  items: ListedProduct[];
  /** Ask for the page `after` this id; null on the first page. */
  newer: number | null;
  /** Ask for the page `before` this id; null on the last page. */
  older: number | null;
};

/**
 * A page of a seller's products, newest first, each page found by the id it begins beyond, so the last page costs what
 * the first does. `search` is part of a name; case and accents do not matter. One statement.
 */
export async function listProducts(
  sellerId: string,
  {
    limit,
    search = "",
    before,
    after,
  }: { limit: number; search?: string; before?: number | undefined; after?: number | undefined },
): Promise<ProductPage> {
  const backwards = after !== undefined;
  const rows = await db
    .select({
      id: products.id,
      name: products.name,
      description: products.description,
      priceCents: products.priceCents,
      imageUrl: products.imageUrl,
      checkoutSlug: products.checkoutSlug,
      active: sql<boolean>`${products.deactivatedAt} is null`,
      createdAt: products.createdAt,
    })
    .from(products)
    .where(
      and(
        eq(products.sellerId, sellerId),
        isNull(products.archivedAt),
        backwards ? gt(products.id, after) : before === undefined ? undefined : lt(products.id, before),
        search.trim() === "" ? undefined : sql`${plainName} like ${pattern(search)}`,
      ),
    )
    .orderBy(backwards ? asc(products.id) : desc(products.id))
    .limit(limit + 1);
  const more = rows.length > limit;
  const items = backwards ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  return {
    items,
    newer: (backwards ? more : before !== undefined) ? (items[0]?.id ?? null) : null,
    older: (backwards ? true : more) ? (items.at(-1)?.id ?? null) : null,
  };
}

const ACCENTED = "ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ";
const PLAIN = plain(ACCENTED);
const plainName = sql`lower(translate(${products.name}, ${ACCENTED}, ${PLAIN}))`;

function pattern(search: string): string {
  return `%${plain(search.trim().slice(0, 100)).replace(/[\\%_]/g, "\\$&")}%`;
}

function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}
