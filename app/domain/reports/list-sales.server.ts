import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { findBySearch } from "#app/domain/reports/find-by-search.server.ts";
import { saleColumns, withPayments } from "#app/domain/reports/sale-columns.server.ts";
import type { SaleCursor, SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { newerThan, olderThan } from "#app/domain/sale/sale-cursor.server.ts";
import { paginate } from "#app/kit/paginate.ts";
import { takeTurn } from "#app/platform/take-turn.server.ts";

export type ListedSale = Awaited<ReturnType<typeof selectSales>>[number];

/** A page, and the cursors of its neighbours: null where there are none. */
export type SalesPage = { items: ListedSale[]; newer: SaleCursor | null; older: SaleCursor | null };

/** A page of a seller's sales, newest first, found by its cursor, so the last page costs the same as the first. */
export async function listSales(
  sellerId: string,
  filter: SalesFilter,
  {
    limit,
    before = null,
    after = null,
  }: { limit: number; before?: SaleCursor | null; after?: SaleCursor | null },
): Promise<SalesPage> {
  const backwards = after !== null;
  const findPage = (searchCondition: SQL | undefined) =>
    selectSales(
      and(
        eq(sales.sellerId, sellerId),
        filter.status === "all" ? undefined : eq(sales.status, filter.status),
        // Not a parameter, so that a plan made for any of them knows the index of sales without a PIX.
        filter.method === null ? undefined : sql`${sales.paymentMethod} = ${sql.raw(`'${filter.method}'`)}`,
        filter.productId === null ? undefined : eq(sales.productId, filter.productId),
        filter.couponId === null ? undefined : eq(sales.couponId, filter.couponId),
        filter.offerId === null ? undefined : eq(sales.offerId, filter.offerId),
        searchCondition,
        after ? newerThan(after) : before ? olderThan(before) : undefined,
      )!,
      backwards ? [asc(sales.createdAt), desc(sales.id)] : [desc(sales.createdAt), asc(sales.id)],
      limit + 1,
    );
  const rows = await findSearchedPage(
    sellerId,
    filter,
    (after ?? before)?.createdAt ?? null,
    backwards,
    limit,
    findPage,
  );
  return paginate(rows, { limit, before, after });
}

/** A frequent name fills a page from one month; a rare one is looked up in all the others. */
async function findSearchedPage(
  sellerId: string,
  filter: SalesFilter,
  cursorTime: Date | null,
  backwards: boolean,
  limit: number,
  findPage: (searchCondition: SQL | undefined) => Promise<ListedSale[]>,
): Promise<ListedSale[]> {
  const searchFound = findBySearch(sellerId, filter.search);
  if (searchFound?.kind === "id") return findPage(searchFound.condition);
  const { from, to } = filter.period;
  const inPeriod = and(gte(sales.createdAt, from), lt(sales.createdAt, to));
  if (!searchFound) return findPage(inPeriod);
  // A cursor is any text of an address: of its time only what is in the period has months to look in.
  const inPeriodAt = (time: number) => new Date(Math.min(Math.max(time, from.getTime()), to.getTime()));
  const months = backwards
    ? monthsBetween(inPeriodAt(cursorTime!.getTime()), to)
    : monthsBetween(from, cursorTime ? inPeriodAt(cursorTime.getTime() + 1) : to).reverse();
  const firstMonthPage = await findPage(
    and(inPeriod, searchFound.conditionIn({ ...filter, months: months.slice(0, 1) })),
  );
  if (firstMonthPage.length > limit || months.length === 1) return firstMonthPage;
  return findPage(and(inPeriod, searchFound.conditionIn({ ...filter, months })));
}

/** The months (UTC, `2611`) from one time to another, in order. */
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

async function selectSales(where: SQL, order: SQL[], limit: number) {
  const rows = await reportsDb
    .select(saleColumns)
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(where)
    .orderBy(...order)
    .limit(limit);
  await takeTurn();
  return rows.map(withPayments);
}
