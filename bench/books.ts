import { execFileSync } from "node:child_process";
import postgres, { type Sql } from "postgres";
import { startPostgres } from "#scripts/postgres.ts";
import { migratedDatabase } from "./bench-database.ts";
import { fillBooks } from "./books-data.ts";
import { figure, note, written } from "./figure.ts";
import { fillReports } from "./reports-data.ts";

const FEW = 1_000;
const MANY = 1_000_000;
/**
 * A purchase, reading it and a cleanup batch may take this many times as long with a million purchases as with a thousand.
 */
const AIM = 2;
const TABLES = [
  "sales",
  "sale_lines",
  "sale_events",
  "charges",
  "charge_events",
  "payment_webhooks",
  "mails",
  "queued_mails",
  "deliveries",
];

/** Measured by `bench/books-calls.ts`, in milliseconds. */
export type BookTimes = Record<string, number>;

/**
 * How the tables grow: the size of a million purchases with all their events, and how much longer a purchase, reading one
 * and the daily cleanup take than with a thousand, in one run. Figures for ten million are extrapolated.
 */
export async function benchBooks(): Promise<void> {
  const server = await startPostgres(".cache/bench-books", {
    fast: true,
    flags: ["shared_buffers=512MB", "max_wal_size=8GB"],
  });
  try {
    const few = await measure(server.url, "few", FEW);
    const many = await measure(server.url, "many", MANY);
    for (const [call, time] of Object.entries(many.times)) {
      const parts = `${written(time)} ms, with a thousand ${written(few.times[call]!)} ms`;
      figure(`${call} with a million purchases`, time / few.times[call]!, { atMost: AIM }, " times", parts);
    }
    for (const [table, { bytes, rows }] of Object.entries(many.sizes))
      note(table, `${(bytes / 1e6).toFixed(0)} MB, ${rows.toLocaleString("en-US")} rows`);
    const total = Object.values(many.sizes).reduce((sum, { bytes }) => sum + bytes, 0);
    note("a purchase with everything it leaves", `${written(total / MANY / 1000)} kB with its indexes`);
    note("ten million purchases, worked out", `${((total * 10) / 1e9).toFixed(0)} GB`);
  } finally {
    await server.stop();
  }
}

async function measure(url: (name: string) => string, name: string, purchases: number) {
  const database = `books_${name}`;
  const env = await migratedDatabase(url, database);
  const sql = postgres(url(database), { max: 1, onnotice: () => {} });
  const begun = performance.now();
  await fillReports(sql, purchases, new Date());
  await fillBooks(sql);
  note(
    `${purchases.toLocaleString("en-US")} purchases written in`,
    `${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  const sizes = await sizesOf(sql);
  await sql.end();
  const output = execFileSync(process.execPath, ["bench/books-calls.ts"], { env, encoding: "utf8" });
  return { sizes, times: JSON.parse(output.trim().split("\n").at(-1)!) as BookTimes };
}

async function sizesOf(sql: Sql): Promise<Record<string, { bytes: number; rows: number }>> {
  const rows = await sql<{ name: string; bytes: string; rows: number }[]>`
    select relname as name, pg_total_relation_size(oid) as bytes, reltuples::int as rows
    from pg_class where relkind = 'r' and relname in ${sql(TABLES)} order by 2 desc`;
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, { ...row, bytes: Number(row.bytes) }]));
}
