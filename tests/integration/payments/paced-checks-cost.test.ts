import { expect } from "vitest";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";

const SCHEDULED = 4;

longTest(
  "a tick of paced checks reads hardly more where a hundred times as many charges were paid long ago",
  async () => {
    const app = await startApp({ web: 0, worker: 0 });
    await app.sandbox.webhooks({ drop: true });
    await sql`create extension if not exists pg_stat_statements`;
    const shops = await Promise.all(Array.from({ length: SCHEDULED }, openShop));
    for (const { product } of shops) {
      const charge = await makeCharge(await makeSale(product), { status: "paid" });
      await sql`insert into paced_checks (charge_id, seller_id, provider, scheduled_at)
      values (${charge.id}, ${product.sellerId}, 'pushinpay', now())`;
    }
    await fill(shops[0]!.seller.id, 500);
    const few = await cheapestTick();
    await fill(shops[0]!.seller.id, 50_000);
    const many = await cheapestTick();
    const report = JSON.stringify({ few, many }, null, 1);
    expect(many.calls, report).toBe(few.calls);
    expect(many.pages / few.pages, report).toBeLessThanOrEqual(1.25);
  },
);

/** Charges that were paid so long ago that nothing checks them any more. */
async function fill(sellerId: string, payments: number): Promise<void> {
  await sql.begin(async (tx) => {
    // The rows are consistent; what depends on writing them does not matter here.
    await tx`set local session_replication_role = replica`;
    await tx`with old as (
        insert into sales (seller_id, product_id, status, amount_cents, order_key, created_at, completed_at)
        select p.seller_id, p.id, 'completed', 9700, ${crypto.randomUUID()} || n, now() - interval '2 years', now() - interval '2 years'
        from generate_series(1, ${payments}::int) n, lateral (
          select * from products where seller_id = ${sellerId} limit 1) p returning id, seller_id, created_at)
      insert into charges (sale_id, seller_id, provider, reference, provider_id, status, amount_cents, paid_cents, created_at, paid_at)
      select id, seller_id, 'pushinpay', id::text, id::text, 'paid', 9700, 9700, created_at, created_at from old`;
  });
  for (const table of ["sales", "charges"]) await sql.unsafe(`vacuum analyze ${table}`);
}

type Tick = { pages: number; calls: number; dearest: string[] };

/** Interference makes it dearer: the cheapest of several is the cost of a tick. */
async function cheapestTick(): Promise<Tick> {
  const ticks: Tick[] = [];
  for (let at = 0; at < 6; at++) ticks.push(await tick());
  return ticks.slice(1).toSorted((a, b) => a.pages - b.pages)[0]!;
}

async function tick(): Promise<Tick> {
  await sql`update paced_checks set scheduled_at = now() - interval '1 second'`;
  await sql`update charges set last_checked_at = null where id in (select charge_id from paced_checks)`;
  await sql`update gateway_accounts set next_paced_check_at = now() - interval '1 second'`;
  for (const table of ["paced_checks", "gateway_accounts"]) await sql.unsafe(`vacuum ${table}`);
  await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
  const claimed = await claimPacedChecks(SCHEDULED);
  expect(claimed).toHaveLength(SCHEDULED);
  for (const check of claimed) await pacedCheckQueue.handle(check);
  const seen = await sql`
    select sum(calls)::int as calls, sum(shared_blks_hit + shared_blks_read)::int as pages,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as query
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
    group by query order by pages desc`;
  const sum = (what: "calls" | "pages") => seen.reduce((all, row) => all + row[what], 0);
  const dearest = seen.slice(0, 5).map(({ pages, calls, query }) => `${pages} by ${calls}: ${query}`);
  return { pages: sum("pages"), calls: sum("calls"), dearest };
}
