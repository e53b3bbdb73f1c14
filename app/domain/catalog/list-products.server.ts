import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { cutPage } from "#app/kit/cut-page.ts";

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

/** Where in the list a product stands. */
export type ProductPlace = { id: number; createdAt: Date };

export type ProductPage = {
  items: ListedProduct[];
  /** Ask for the page `after` this place; null on the first page. */
  newer: ProductPlace | null;
  /** Ask for the page `before` this place; null on the last page. */
  older: ProductPlace | null;
};

/**
 * A page of a seller's products, newest first, each page found by the place it begins beyond, so the last page costs what
 * the first does. `search` is part of a name; case and accents do not matter.
 */
export async function listProducts(
  sellerId: string,
  {
    limit,
    search = "",
    before,
    after,
  }: { limit: number; search?: string; before?: ProductPlace | null; after?: ProductPlace | null },
): Promise<ProductPage> {
  const backwards = Boolean(after);
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
        after ? sql`${place} > ${placeOf(after)}` : before ? sql`${place} < ${placeOf(before)}` : undefined,
        search.trim() === "" ? undefined : sql`${plainName} like ${pattern(search)}`,
      ),
    )
    .orderBy(...[products.createdAt, products.id].map(backwards ? asc : desc))
    .limit(limit + 1);
  return cutPage(rows, { limit, before, after });
}

const place = sql`(${products.createdAt}, ${products.id})`;
const placeOf = ({ id, createdAt }: ProductPlace) =>
  sql`(${createdAt.toISOString()}::timestamptz, ${id}::bigint)`;

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
