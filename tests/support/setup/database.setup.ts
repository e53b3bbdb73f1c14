import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { SentStatement } from "#app/db/client.server.ts";
import type { Written } from "#app/db/write-sql.server.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import {
  closeApps,
  endKept,
  endKeptWorkers,
  keepsDatabase,
  keptSandbox,
  lastOutput,
} from "#tests/support/app.ts";
import { undoFile } from "#tests/support/run/after-file.ts";
import { FilesOfProcess, sharesWorker } from "#tests/support/run/files-of-process.ts";
import { ownPorts } from "#tests/support/run/slots.ts";
import { until } from "#tests/support/until.ts";

/**
 * Runs before each file: a new database, or an emptied one where a web process stays (`app.ts`), and the environment, before any
 * `#app` module is read. Files that share a process (vitest.config.ts) get no files and the same names: what `#app` read at its
 * start stays true.
 */
const shared = globalThis as {
  testFile?: { database: string; dataDir: string; schema?: string; files: FilesOfProcess };
};
const first = shared.testFile === undefined;
const own = randomBytes(6).toString("hex");
shared.testFile ??= {
  database: `t_${own}`,
  dataDir: `.cache/data-${own}`,
  files: new FilesOfProcess(),
};
const { database, dataDir, files } = shared.testFile;
const isOurTurn = files.begin(relative(process.cwd(), expect.getState().testPath!));
const server = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
const url = new URL(inject("serverUrl"));
url.pathname = `/${database}`;
// A file with only skipped tests ends without a hook, and so does one whose own last hook failed.
await closeApps().catch(() => {});
if (!sharesWorker(expect.getState().testPath!)) await endKeptWorkers();
await keptSandbox()?.reset();
if (keepsDatabase()) {
  await createEmptyDatabase(url.href);
  for (const each of readdirSync(dataDir)) rmSync(join(dataDir, each), { recursive: true, force: true });
} else {
  if (!first) {
    await server`drop database if exists ${server(database)} with (force)`;
    rmSync(dataDir, { recursive: true, force: true });
  }
  mkdirSync(dataDir, { recursive: true });
  await server`
    create database ${server(database)} template ${server(inject("template"))}
    tablespace ${server(inject("tablespace"))} strategy file_copy`;
  shared.testFile.schema ??= await describeSchema(url.href);
}
await server.end();

Object.assign(process.env, first ? sandboxEnvironment(...(await ownPorts())) : {}, {
  NODE_ENV: "test",
  DATABASE_URL: url.href,
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? "silent",
  // Tests play many clients: each names its own, see client-address.ts.
  TRUSTED_PROXY_HOPS: "1",
});

/**
 * Where a query has one table, Drizzle writes its columns without it among the selected fields: in a subquery there they are
 * columns of the subquery's own table, and a comparison is always true.
 */
const COMPARED_WITH_ITSELF = /\(\s*select\b[\s\S]*\b(\w+) = "\1"(?![.\w])/;
const known = new Set<string>();
if (first)
  subscribe("checkintelli:statement", (message) => {
    const { text } = message as SentStatement;
    const isWrong = !known.has(text) && COMPARED_WITH_ITSELF.test(text);
    known.add(text);
    if (isWrong) console.error(`a column without its table is compared with itself: ${text}`);
  });

/** Each text that we write is compared with Drizzle's once. */
const compared = new Set<string>();
if (first)
  subscribe("checkintelli:written-sql", (message) => {
    const { query, byDrizzle } = message as Written;
    if (compared.has(query.sql)) return;
    compared.add(query.sql);
    const { sql, params } = byDrizzle();
    if (sql !== query.sql || !isDeepStrictEqual(params, query.params))
      console.error(
        `Drizzle writes a statement otherwise.\nours: ${query.sql}\nDrizzle's: ${sql}`,
        query.params,
        params,
      );
  });

beforeAll(() => files.work());

let hasFailed = false;
afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  hasFailed = true;
  explain(task.result.errors ?? []);
});

function explain(errors: { message: string; stack?: string; cause?: unknown }[]): void {
  const text = `${lastOutput()}${files.words()}`;
  for (const error of errors) {
    const reason = causes(error);
    error.message += `${reason}\n${text}`;
    // What `npm test` prints at its end.
    error.stack += `${reason}\n${text}`;
  }
}

/** The cause of an error: Drizzle's names the failed statement, its cause has Postgres' message. */
function causes({ cause }: { cause?: unknown }): string {
  const { message, cause: next } = (cause ?? {}) as { message?: unknown; cause?: unknown };
  return typeof message === "string" ? `\nbecause of: ${message}${causes({ cause: next })}` : "";
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern, and accepts no name in its place.
afterAll(async ({}, suite) => {
  // Of the file itself, where a hook of all its tests failed.
  const errors = suite.result?.errors ?? [];
  hasFailed ||= errors.length > 0;
  explain(errors);
  await closeApps(hasFailed);
  await undoFile();
  // If this hook timed out, database and files belong to the next one by now.
  if (!isOurTurn()) return;
  const dropper = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
  // What a file adds to the schema ends with its database.
  if (keepsDatabase() && (await describeSchema(url.href)) !== shared.testFile?.schema) await endKept();
  // For all files together it would lose its count for one that still runs.
  await dropper`select pg_stat_statements_reset(0, oid) from pg_database where datname = ${database}`;
  if (!keepsDatabase()) {
    await dropper`drop database if exists ${dropper(database)} with (force)`;
    rmSync(dataDir, { recursive: true, force: true });
  }
  await dropper.end();
  files.end(suite);
});

/** Deletes every row of a database on which an app runs, and notifies the app that its cached pages are stale. */
export async function createEmptyDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const tables = await client<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname = 'public' or tablename in ('_private_jobs', '_private_job_queues')`;
  const all = tables.map(({ schema, name }) => `"${schema}"."${name}"`).join(", ");
  const empty = () =>
    client.begin(async (tx) => {
      await tx`select pg_notify('storefront', id::text) from products`;
      await tx`select pg_notify('storefront', 'seller:' || id) from sellers`;
      await tx.unsafe(`truncate ${all}`);
      await tx`drop extension if exists pg_stat_statements`;
      // Plans are those of a new database.
      await tx`delete from pg_statistic where starelid in
        (select oid from pg_class where relnamespace = 'public'::regnamespace)`;
      return true;
    });
  // Work left by an earlier test may hold locks.
  await until(() => empty().catch(isDeadlock), { what: "the database to be empty" });
  await client.end();
}

/** Changes with every table, its options, column, index, constraint, function, trigger and migration. */
async function describeSchema(url: string): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const [row] = await client<{ schema: string }[]>`
    select concat_ws(' ',
      (select sum(oid::bigint) from pg_class where relnamespace = 'public'::regnamespace
        and relname not like 'pg_stat_statements%'),
      (select count(*) from pg_attribute join pg_class on attrelid = pg_class.oid
        where relnamespace = 'public'::regnamespace and relname not like 'pg_stat_statements%' and not attisdropped),
      (select sum(oid::bigint) from pg_constraint where connamespace = 'public'::regnamespace),
      (select sum(oid::bigint) from pg_proc where pronamespace = 'public'::regnamespace
        and proname not like 'pg_stat_statements%'),
      (select sum(oid::bigint) from pg_trigger),
      (select string_agg(oid || reloptions::text, ' ' order by oid) from pg_class
        where relnamespace = 'public'::regnamespace),
      (select string_agg(m::text, ' ' order by id) from drizzle.__drizzle_migrations m)) as schema`;
  await client.end();
  return row!.schema;
}

/** @returns false, where it is one @throws what it is otherwise */
function isDeadlock(error: unknown): false {
  if (error instanceof postgres.PostgresError && error.code === "40P01") return false;
  throw error;
}
