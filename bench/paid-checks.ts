import { execFileSync } from "node:child_process";
import postgres, { type Sql } from "postgres";
import { startPostgres } from "#scripts/postgres.ts";
import { migratedDatabase } from "./bench-database.ts";
import { figure, note, written } from "./figure.ts";

const FEW = 2_000;
const MANY = 2_000_000;
/** A tick may cost this many times as much with two million paid charges as with two thousand. */
const AIM = 1.25;
const SELLERS = 20;

/** A tick as measured by `bench/paid-checks-calls.ts`: database pages, statements, milliseconds. */
export type Tick = { pages: number; statements: number; ms: number; checks: number };

/** What checking paid charges costs as a shop grows: the same number is due, among four years of payments. */
export async function benchPaidChecks(): Promise<void> {
  const server = await startPostgres(".cache/bench-paid-checks", {
    fast: true,
    flags: ["shared_buffers=512MB", "max_wal_size=8GB", "shared_preload_libraries=pg_stat_statements"],
  });
  try {
    const few = await measure(server.url, "few", FEW);
    const many = await measure(server.url, "many", MANY);
    for (const what of ["pages", "ms"] as const) {
      const parts = `${written(many[what])}, with two thousand ${written(few[what])}; ${many.checks} checks, ${written(many.statements)} statements`;
      figure(
        `${what} of a tick with two million paid charges`,
        many[what] / few[what],
        { atMost: AIM },
        " times",
        parts,
      );
    }
  } finally {
    await server.stop();
  }
}

async function measure(url: (name: string) => string, name: string, payments: number): Promise<Tick> {
  const database = `paid_checks_${name}`;
  const env = await migratedDatabase(url, database);
  const sql = postgres(url(database), { max: 1, onnotice: () => {} });
  const begun = performance.now();
  const waiting = await fill(sql, payments);
  await sql.end();
  const took = `${((performance.now() - begun) / 1000).toFixed(0)} s; ${waiting.toLocaleString("en-US")} of them are still checked`;
  note(`${payments.toLocaleString("en-US")} paid charges written in`, took);
  const output = execFileSync(process.execPath, ["bench/paid-checks-calls.ts"], { env, encoding: "utf8" });
  return JSON.parse(output.trim().split("\n").at(-1)!) as Tick;
}

/** Inserts payments over four years, evenly spread, for several sellers. @returns how many are younger than 90 days */
async function fill(sql: Sql, payments: number): Promise<number> {
  await sql.unsafe("set session_replication_role = replica");
  await sql`create extension pg_stat_statements`;
  await sql`insert into sellers (email, name) select 'loja' || n || '@exemplo.com.br', 'Loja' from generate_series(1, ${SELLERS}::int) n`;
  await sql`insert into products (seller_id, name, price_cents) select id, 'Curso', 9700 from sellers`;
  await sql`insert into gateway_keys (seller_id, provider) select id, 'pushinpay' from sellers`;
  await sql`insert into gateway_accounts (seller_id, provider, key_id, hook_token)
    select seller_id, provider, id, id::text from gateway_keys`;
  // Rows first, indexes afterwards: the checks use only the primary key of sales.
  const indexes = await sql<{ name: string; table: string; definition: string }[]>`
    select indexname as name, tablename as table, indexdef as definition from pg_indexes
    where tablename in ('sales', 'charges') and indexname not like '%_pkey'`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await sql`insert into sales (seller_id, product_id, status, amount_cents, order_key, created_at, completed_at)
    select s.id, p.id, 'completed', 9700, n::text, at, at
    from generate_series(1, ${payments}::int) n,
      lateral (select now() - interval '4 years' * n / ${payments}::int as at) moment,
      lateral (select id from sellers order by email offset n % ${SELLERS}::int limit 1) s,
      lateral (select id from products where seller_id = s.id limit 1) p`;
  await sql`insert into charges (sale_id, seller_id, provider, gateway_key_id, reference, provider_id, status, amount_cents,
      paid_cents, created_at, paid_at, last_checked_at)
    select s.id, s.seller_id, 'pushinpay', k.id, s.id::text, s.id::text, 'paid', 9700, 9700, s.created_at, s.created_at, s.created_at
    from sales s inner join gateway_keys k on k.seller_id = s.seller_id`;
  for (const { table, definition } of indexes) if (table === "charges") await sql.unsafe(definition);
  const made = await sql`insert into paced_checks (charge_id, seller_id, provider, scheduled_at)
    select c.id, s.seller_id, c.provider, now() + random() * interval '6 days'
    from charges c inner join sales s on s.id = c.sale_id where c.paid_at > now() - interval '89 days'`;
  await sql.unsafe("vacuum analyze");
  return made.count;
}
