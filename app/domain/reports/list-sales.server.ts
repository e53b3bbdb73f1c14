import { and, asc, desc, eq, gte, lt, type SQL } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { findBySearch } from "#app/domain/reports/find-by-search.server.ts";
import { asReported, saleColumns } from "#app/domain/reports/sale-columns.server.ts";
import type { SalePlace, SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { newerThan, olderThan } from "#app/domain/sale/sale-place.server.ts";
import { cutPage } from "#app/kit/cut-page.ts";

export type ListedSale = Awaited<ReturnType<typeof select>>[number];

/** A page, and the places where its neighbours begin: null where there are none. */
export type SalesPage = { items: ListedSale[]; newer: SalePlace | null; older: SalePlace | null };

/**
 * A page of a seller's sales, newest first, found by the place it begins beyond, so the last page costs what the first
 * does.
 */
export async function listSales(
  sellerId: string,
  filter: SalesFilter,
  {
    limit,
    before = null,
    after = null,
  }: { limit: number; before?: SalePlace | null; after?: SalePlace | null },
): Promise<SalesPage> {
  const backwards = after !== null;
  const find = (searched: SQL | undefined) =>
    select(
      and(
        eq(sales.sellerId, sellerId),
        filter.status === "all" ? undefined : eq(sales.status, filter.status),
        filter.productId === null ? undefined : eq(sales.productId, filter.productId),
        searched,
        after ? newerThan(after) : before ? olderThan(before) : undefined,
      )!,
      backwards ? [asc(sales.createdAt), desc(sales.id)] : [desc(sales.createdAt), asc(sales.id)],
      limit + 1,
    );
  const rows = await findEnough(
    sellerId,
    filter,
    (after ?? before)?.createdAt ?? null,
    backwards,
    limit,
    find,
  );
  return cutPage(rows, { limit, before, after });
}

/** A frequent name fills a page from one month; a rare one is looked up in all that are left. */
async function findEnough(
  sellerId: string,
  filter: SalesFilter,
  place: Date | null,
  backwards: boolean,
  limit: number,
  find: (searched: SQL | undefined) => Promise<ListedSale[]>,
): Promise<ListedSale[]> {
  const found = findBySearch(sellerId, filter.search);
  const { period } = filter;
  if (found?.kind === "id") return find(found.condition);
  const inPeriod = and(gte(sales.createdAt, period.from), lt(sales.createdAt, period.to));
  if (!found) return find(inPeriod);
  const months = backwards
    ? monthsBetween(place!, period.to)
    : monthsBetween(period.from, place ? new Date(place.getTime() + 1) : period.to).reverse();
  const near = await find(and(inPeriod, found.conditionIn({ ...filter, months: months.slice(0, 1) })));
  if (near.length > limit || months.length === 1) return near;
  return find(and(inPeriod, found.conditionIn({ ...filter, months })));
}

/** The months (UTC, `2611`) from one moment to another, in order. */
function monthsBetween(from: Date, to: Date): string[] {
  const last = Math.max(from.getTime(), to.getTime() - 1);
  const months: string[] = [];
  for (let at = Date.UTC(from.getUTCFullYear(), from.getUTCMonth()); at <= last; ) {
    const date = new Date(at);
    months.push(date.toISOString().slice(2, 7).replace("-", ""));
    at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  }
  return months;
}

async function select(where: SQL, order: SQL[], limit: number) {
  const rows = await adHoc
    .select(saleColumns)
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(where)
    .orderBy(...order)
    .limit(limit);
  return rows.map(asReported);
}
