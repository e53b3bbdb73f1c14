import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import type { DigestPeriod } from "#app/domain/sale/mails/digest-period.ts";

/** A seller's sales in a period and in the one before. Money in cents; refunded sales do not count. */
export type Digest = {
  count: number;
  cents: number;
  countBefore: number;
  centsBefore: number;
  /** Best sold first, at most five. */
  products: SoldProduct[];
  /** All that was sold beside them; null where there is nothing else. */
  others: Omit<SoldProduct, "name"> | null;
};

/** `count`: its units. */
type SoldProduct = { name: string; count: number; cents: number };

/** Uses the index of completed sales. */
export async function readDigest(sellerId: string, { before, from, until }: DigestPeriod): Promise<Digest> {
  const [b, f, u] = [before, from, until].map((moment) => moment.toISOString());
  const [sums] = await db.execute<{
    count: number;
    cents: number;
    count_before: number;
    cents_before: number;
  }>(sql`
    select count(*) filter (where completed_at >= ${f})::int as count,
      coalesce(sum(amount_cents) filter (where completed_at >= ${f}), 0)::float8 as cents,
      count(*) filter (where completed_at < ${f})::int as count_before,
      coalesce(sum(amount_cents) filter (where completed_at < ${f}), 0)::float8 as cents_before
    from ${sales}
    where seller_id = ${sellerId} and completed_at >= ${b} and completed_at < ${u} and status = 'completed'`);
  const products = await db.execute<SoldProduct & { all_count: number; all_cents: number }>(sql`
    select n.name, sum(l.quantity)::int as count, sum(l.price_cents)::float8 as cents,
      sum(sum(l.quantity)) over ()::int as all_count, sum(sum(l.price_cents)) over ()::float8 as all_cents
    from ${sales} s inner join ${saleLines} l on l.seller_id = s.seller_id and l.sale_id = s.id
      -- A line of several units names how many: 2 × Curso.
      cross join lateral (select case when l.quantity > 1 and starts_with(l.name, l.quantity || ' × ')
        then substr(l.name, length(l.quantity || ' × ') + 1) else l.name end as name) n
    where s.seller_id = ${sellerId} and s.completed_at >= ${f} and s.completed_at < ${u} and s.status = 'completed'
    group by n.name order by sum(l.price_cents) desc, n.name limit 5`);
  const listed = products.map(({ name, count, cents }) => ({ name, count, cents }));
  const all = { count: products[0]?.all_count ?? 0, cents: products[0]?.all_cents ?? 0 };
  const others = listed.reduce(
    (rest, { count, cents }) => ({ count: rest.count - count, cents: rest.cents - cents }),
    all,
  );
  return {
    count: sums!.count,
    cents: sums!.cents,
    countBefore: sums!.count_before,
    centsBefore: sums!.cents_before,
    products: listed,
    others: others.count > 0 ? others : null,
  };
}
