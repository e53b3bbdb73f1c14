import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import postgres, { type TransactionSql } from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { MigrationBlocked, migrate } from "#app/db/migrate.server.ts";
import { newestMigration } from "#app/db/newest-migration.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { prepareDatabase } from "#scripts/prepare-database.ts";
import { laterVersion } from "#tests/integration/database/later-version.ts";
import { holdLock, sql } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/** The creation times of the migrations that the database records, newest first. */
async function recorded(): Promise<number[]> {
  const rows = await sql<{ at: string }[]>`
    select created_at as at from drizzle.__drizzle_migrations order by created_at desc`;
  return rows.map(({ at }) => Number(at));
}

async function exists(name: string): Promise<boolean> {
  const [row] = await sql`select to_regclass(${name}) is not null as there`;
  return row!.there;
}

test("migrations run up to a given one, the rest later, and none twice", async () => {
  const { folder, times } = laterVersion({
    "9990_first": [`create table later_first (id int)`, `insert into later_first values (1)`],
    "9991_second": [`create table later_second (id int)`],
  });
  await migrate({ folder, upTo: times[0]! });
  expect([await exists("later_first"), await exists("later_second")]).toEqual([true, false]);
  await migrate({ folder });
  await migrate({ folder });
  expect(await exists("later_second")).toBe(true);
  expect((await recorded()).slice(0, 2)).toEqual([times[1], times[0]]);
  expect(await sql`select id from later_first`).toHaveLength(1);
});

test("a migration that fails is reported at once, and leaves nothing", async () => {
  const { folder, times } = laterVersion({
    "9992_broken": [`create table later_broken (id int)`, `insert into later_broken values ('word')`],
  });
  await expect(migrate({ folder })).rejects.toThrow(/invalid input syntax/);
  expect(await exists("later_broken")).toBe(false);
  expect(await recorded()).not.toContain(times[0]);
});

test("a migration that gets no lock for ten minutes says in one sentence what to do, and leaves nothing", async () => {
  const { folder, times } = laterVersion({ "9992_blocked": ["alter table throttles add column later int"] });
  const lock = await holdLock((tx) => tx`lock table throttles in access share mode`);
  const warnings = vi.spyOn(log, "warn");
  onTestFinished(() => void vi.restoreAllMocks());
  const migrating = migrate({ folder });
  migrating.catch(() => {});
  await until(async () => warnings.mock.calls.length > 0, { what: "a try that waited for the lock" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * MINUTE });
  onTestFinished(() => void vi.useRealTimers());
  await expect(migrating).rejects.toThrow(MigrationBlocked);
  await lock.release();
  expect(await recorded()).not.toContain(times[0]);
});

test("an index that is built concurrently is a migration of its own", async () => {
  const { folder, times } = laterVersion({
    "9993_mixed": [
      `create index concurrently "later_sales_note" on "sales" ("customer_name")`,
      `create table later_mixed (id int)`,
    ],
  });
  await expect(migrate({ folder })).rejects.toThrow(/must contain nothing else: create table later_mixed/);
  expect(await exists("later_mixed")).toBe(false);
  expect(await recorded()).not.toContain(times[0]);
  await sql`drop index concurrently if exists later_sales_note`;
});

/** How many seconds the migration's current statement has waited. */
async function waiting(beginning: string): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(max(extract(epoch from now() - query_start)), 0)::float8 as seconds from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`${beginning}%`}`;
  return row!.seconds;
}

test("building an index waits for transactions that began before, and the next migration has short waits again", async () => {
  const { folder, times } = laterVersion({
    "9994_index": [`create index concurrently "later_sales_name" on "sales" ("customer_name")`],
    "9995_column": [`alter table "sales" add column "later_word" text`],
    "9996_gone": [`drop index concurrently if exists "later_sales_name"`],
  });
  const writing = await holdLock((tx) => tx`lock table sales in row exclusive mode`);
  const migrating = migrate({ folder });
  // Longer than the two seconds for which other statements wait.
  await until(async () => (await waiting("create index concurrently")) > 2.5, {
    what: "a wait for the writer",
  });
  const reading = await holdLock((tx) => tx`lock table sales in access share mode`);
  await writing.release();
  await until(async () => (await waiting("alter table")) > 0.1, { what: "a wait for the reader" });
  // With a lock in front of it for as long as it is waited for, nobody could read.
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = '20s'`;
    await tx`select from sales limit 1`;
  });
  await reading.release();
  await migrating;
  const [column] = await sql`
    select count(*)::int as n from information_schema.columns where table_name = 'sales' and column_name = 'later_word'`;
  expect(column!.n).toBe(1);
  expect(await exists("later_sales_name")).toBe(false);
  expect((await recorded()).slice(0, 3)).toEqual(times.toReversed());
});

test("a migration whose connection is lost ends: another one would have neither its lock nor its short waits", async () => {
  const { folder } = laterVersion({ "9997_blocked": [`alter table sales add column later_blocked int`] });
  const reading = await holdLock((tx) => tx`lock table sales in access share mode`);
  const migrating = migrate({ folder });
  migrating.catch(() => {});
  // It has given way, and does so for a while before its next attempt: after the third a whole second.
  const pid = await until(async () => {
    const [row] = await sql`select pid from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and datname = current_database() and state = 'idle' and query = 'rollback'
      and clock_timestamp() > state_change + interval '0.55 seconds'`;
    return row?.pid;
  });
  await sql`select pg_terminate_backend(${pid})`;
  // By when the driver notices.
  await expect(migrating).rejects.toMatchObject({
    code: expect.stringMatching(/^CONNECTION_(ENDED|CLOSED)$/),
  });
  await reading.release();
});

longTest(
  "a migration that is frozen loses its locks: the shop goes on, and another attempt migrates",
  async () => {
    const { folder } = laterVersion({
      "9998_frozen": [`alter table sales add column later_frozen int`, "select pg_sleep(1)"],
    });
    const program = `const { migrate } = await import("#app/db/migrate.server.ts"); await migrate({ folder: "${folder}" });`;
    const frozen = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: "ignore",
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    const ended = once(frozen, "exit");
    await until(
      async () =>
        (
          await sql`select from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep(1)' and wait_event = 'PgSleep'`
        ).length > 0,
    );
    frozen.kill("SIGSTOP");
    const read = async (tx: TransactionSql) => {
      await tx`set local lock_timeout = '1s'`;
      await tx`select from sales limit 1`;
      return true;
    };
    await until(() => sql.begin(read), { what: "a read of the table" });
    frozen.kill("SIGCONT");
    expect((await ended)[0]).not.toBe(0);
    await migrate({ folder });
    await sql`select later_frozen from sales`;
  },
);

test("a current database is not migrated again: a start waits for no other process that migrates", async () => {
  // Current, and no more: earlier tests recorded migrations of later versions.
  await sql`delete from drizzle.__drizzle_migrations where created_at > ${newestMigration()}`;
  const migrating = await holdLock(
    (tx) => tx`select pg_advisory_xact_lock(hashtext('checkintelli:migrate'))`,
  );
  const connections = async () =>
    (await sql`select from pg_stat_activity where datname = current_database()`).length;
  const before = await connections();
  try {
    await prepareDatabase(process.env.DATABASE_URL!);
  } finally {
    await migrating.release();
  }
  await until(async () => (await connections()) <= before, { what: "the end of its connection" });
});

test("a process that waits for another one that migrates asks now and then, and goes on once it may", async () => {
  const other = await holdLock((tx) => tx`select pg_advisory_xact_lock(hashtext('checkintelli:migrate'))`);
  const { folder, times } = laterVersion({ "9999_waiting": [`create table later_waiting (id int)`] });
  const lines = vi.spyOn(log, "info");
  onTestFinished(() => void vi.restoreAllMocks());
  const migrating = migrate({ folder });
  const asks = async () =>
    sql`select from pg_stat_activity where datname = current_database() and state = 'idle'
      and query like '%pg_try_advisory_lock(%' and clock_timestamp() > state_change + interval '0.2 seconds'`;
  await until(async () => (await asks()).length > 0, { what: "a rest between two questions" });
  expect(await recorded()).not.toContain(times[0]);
  await other.release();
  await migrating;
  expect(await recorded()).toContain(times[0]);
  expect(lines.mock.calls).toEqual([["another process is migrating: waiting for it"]]);
});

test("a database that lacks a migration, or is new, is migrated at a start", async () => {
  // Its tables exist, so that the attempt shows in their names.
  const isMigrated = () =>
    expect(prepareDatabase(process.env.DATABASE_URL!)).rejects.toThrow(/already exists/);
  const journal = await sql`delete from drizzle.__drizzle_migrations returning *`;
  await isMigrated();
  await sql`drop table drizzle.__drizzle_migrations`;
  await isMigrated();
  await sql`insert into drizzle.__drizzle_migrations ${sql(journal)}`;
});

// The tests' server has no TLS: postgres.js alone would go on without it.
test("a start reads sslmode of the database's address as web and worker do", async () => {
  await expect(prepareDatabase(`${process.env.DATABASE_URL}?sslmode=disable`)).resolves.toBeUndefined();
  await expect(prepareDatabase(`${process.env.DATABASE_URL}?sslmode=prefer`)).rejects.toThrow();
});

const LOGIN_REFUSED = "O PostgreSQL recusou a senha de DATABASE_URL (ou de PGPASSWORD).";

test("the program migrates an empty database and ends, and states in one sentence why it could not log in", async () => {
  const name = `m_${randomUUID().replaceAll("-", "")}`;
  await sql`create database ${sql(name)} template template0`;
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  const run = () =>
    spawnSync(process.execPath, ["scripts/migrate.ts"], {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: url.href },
    });
  const { status, stderr } = run();
  expect([status, stderr]).toEqual([0, ""]);
  const client = postgres(url.href, { max: 1 });
  const [row] = await client`
    select to_regclass('sales') is not null as sales, to_regclass('graphile_worker.jobs') is not null as jobs`;
  await client.end();
  expect(row).toEqual({ sales: true, jobs: true });
  await sql`drop database ${sql(name)}`;
  url.username = "nobody";
  const refused = run();
  expect([refused.status, refused.stderr.trim().split("\n")]).toEqual([1, [LOGIN_REFUSED]]);
});
