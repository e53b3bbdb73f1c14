import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { findBySearch } from "#app/domain/reports/find-by-search.server.ts";
import { saleColumns } from "#app/domain/reports/sale-columns.server.ts";
import type { Place, SalesFilter } from "#app/domain/reports/sales-filter.ts";

export type ListedSale = Awaited<ReturnType<typeof select>>[number];

/** A page, and the places where its neighbours begin: null where there are none. */
export type SalesPage = { items: ListedSale[]; newer: Place | null; older: Place | null };

/**
 * A page of a seller's sales, newest first, found by the place it begins beyond, so the last page costs what the first
 * does. One statement, two where a name is searched.
 */
export async function listSales(
  sellerId: string,
  filter: SalesFilter,
  { limit, before = null, after = null }: { limit: number; before?: Place | null; after?: Place | null },
): Promise<SalesPage> {
  const backwards = after !== null;
  const rows = await select(
    and(
      eq(sales.sellerId, sellerId),
      filter.status === "all" ? undefined : eq(sales.status, filter.status),
      filter.productId === null ? undefined : eq(sales.productId, filter.productId),
      await searched(sellerId, filter),
      after ? newerThan(after) : before ? olderThan(before) : undefined,
    )!,
    backwards ? [asc(sales.createdAt), desc(sales.id)] : [desc(sales.createdAt), asc(sales.id)],
    limit + 1,
  );
  const more = rows.length > limit;
  const items = backwards ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  return {
    items,
    newer: (backwards ? more : before) ? (items[0] ?? null) : null,
    older: (backwards ? true : more) ? (items.at(-1) ?? null) : null,
  };
}

function select(where: SQL, order: SQL[], limit: number) {
  return db
    .select(saleColumns)
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(where)
    .orderBy(...order)
    .limit(limit);
}

async function searched(sellerId: string, { search, period }: SalesFilter): Promise<SQL | undefined> {
  const found = await findBySearch(sellerId, search);
  if (found?.kind === "id") return found.condition;
  return and(gte(sales.createdAt, period.from), lt(sales.createdAt, period.to), found?.condition);
}

// The first comparison is the index's range; the second settles sales of the same millisecond.
function olderThan({ createdAt, id }: Place): SQL {
  const at = createdAt.toISOString();
  return sql`(${sales.createdAt} <= ${at} and (${sales.createdAt} < ${at} or ${sales.id} > ${id}))`;
}

function newerThan({ createdAt, id }: Place): SQL {
  const at = createdAt.toISOString();
  return sql`(${sales.createdAt} >= ${at} and (${sales.createdAt} > ${at} or ${sales.id} < ${id}))`;
}
