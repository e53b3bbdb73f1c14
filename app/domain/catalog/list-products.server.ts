import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { databaseTime } from "#app/db/columns.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { paginate } from "#app/kit/paginate.ts";

/** A product in a list. Money in cents. */
export type ListedProduct = {
  id: number;
  name: string;
  description: string | null;
  priceCents: number;
  imageUrl: string | null;
  checkoutSlug: string | null;
  active: boolean;
  createdAt: Date;
  /** The database's clock when it was read, in Unix ms. */
  readAt: number;
};

/** A page cursor in the list of products. */
export type ProductCursor = { id: number; createdAt: Date };

export type ProductPage = {
  items: ListedProduct[];
  /** Pass as `after` for the previous page; null on the first. */
  newer: ProductCursor | null;
  /** Pass as `before` for the next page; null on the last. */
  older: ProductCursor | null;
};

/**
 * A page of a seller's products, newest first. Pages are found by cursor, so that the last costs no more than the first.
 * `search` is part of a name; case and accents do not matter.
 */
export async function listProducts(
  sellerId: string,
  {
    limit,
    search = "",
    before,
    after,
  }: { limit: number; search?: string; before?: ProductCursor | null; after?: ProductCursor | null },
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
      readAt: databaseTime,
    })
    .from(products)
    .where(
      and(
        eq(products.sellerId, sellerId),
        isNull(products.archivedAt),
        after
          ? sql`${cursorColumns} > ${cursorValue(after)}`
          : before
            ? sql`${cursorColumns} < ${cursorValue(before)}`
            : undefined,
        nameContains(search),
      ),
    )
    .orderBy(...[products.createdAt, products.id].map(backwards ? asc : desc))
    .limit(limit + 1);
  return paginate(rows, { limit, before, after });
}

const cursorColumns = sql`(${products.createdAt}, ${products.id})`;
const cursorValue = ({ id, createdAt }: ProductCursor) =>
  sql`(${createdAt.toISOString()}::timestamptz, ${id}::bigint)`;

const ACCENTED = "ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ";
const UNACCENTED = removeAccents(ACCENTED);
const unaccentedName = sql`lower(translate(${products.name}, ${ACCENTED}, ${UNACCENTED}))`;

/** The condition of products whose name contains this; case and accents do not matter. None where it is empty. */
export function nameContains(search: string): SQL | undefined {
  return search.trim() === "" ? undefined : sql`${unaccentedName} like ${likePattern(search)}`;
}

function likePattern(search: string): string {
  return `%${removeAccents(search.trim().slice(0, 100)).replace(/[\\%_]/g, "\\$&")}%`;
}

function removeAccents(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}

/** How many products a seller has, and how many of them are on sale. */
export async function countProducts(sellerId: string): Promise<{ active: number; total: number }> {
  const [row] = await db
    .select({
      active: sql<number>`count(*) filter (where ${products.deactivatedAt} is null)`.mapWith(Number),
      total: sql<number>`count(*)`.mapWith(Number),
    })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), isNull(products.archivedAt)));
  return row!;
}
