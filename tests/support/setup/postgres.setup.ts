import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startPostgres } from "#scripts/postgres.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { partitionBySeller } from "#tests/support/partitions/by-seller.ts";
import { claimSlot, sharedMemory } from "#tests/support/run/slots.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run, at its `postgres` database. */
    serverUrl: string;
    /** The database from which every file's own is cloned: migrated, empty. */
    template: string;
    /** Where the clones are. */
    tablespace: string;
  }
}

type Running = { serverUrl: string; template: string; tablespace: string; stop: () => Promise<void> };
/** Two projects share the server: the first one starts it, the last one stops it. */
const shared = globalThis as { testPostgres?: Promise<Running>; testPostgresUsers?: number };

/** One PostgreSQL for the whole run, with a migrated template. */
export default async function setup(project: TestProject) {
  shared.testPostgres ??= start();
  shared.testPostgresUsers = (shared.testPostgresUsers ?? 0) + 1;
  const { stop, ...provided } = await shared.testPostgres;
  project.provide("serverUrl", provided.serverUrl);
  project.provide("template", provided.template);
  // Those of long tests may grow to gigabytes.
  project.provide("tablespace", project.name === "long" ? "pg_default" : provided.tablespace);
  return async () => {
    shared.testPostgresUsers! -= 1;
    if (shared.testPostgresUsers === 0) await stop();
  };
}

async function start(): Promise<Running> {
  const slot = claimSlot(".cache/test-postgres");
  const server = await startPostgres(slot.directory, { fast: true, flags: ["max_connections=300"] });
  const template = `template_${fingerprint()}`;
  const client = postgres(server.url("postgres"), { max: 1, onnotice: () => {} });
  // Thousands of connections are opened: each side hashes the password this many times, by default 4096.
  await client`set scram_iterations = 1`;
  await client`alter role current_user password 'checkintelli'`;
  await client`create extension if not exists pg_stat_statements`;
  await client`select pg_stat_statements_reset()`;
  const databases = await client<{ name: string }[]>`
    select datname as name from pg_database where datname like 't\\_%' or datname like 'template\\_%'`;
  const known = databases.some((d) => d.name === template);
  for (const { name } of databases)
    if (name !== template) await client`drop database ${client(name)} with (force)`;
  if (!known) {
    // Made under another name first: a run killed half way leaves no template that looks finished.
    await client`create database t_unfinished`;
    await migrated(server.url("t_unfinished"));
    await watchSellers(server.url("t_unfinished"));
    if (process.env.PARTITIONS) await partitioned(server.url("t_unfinished"));
    await client`alter database t_unfinished rename to ${client(template)}`;
  }
  const { tablespace, folder } = await makeTablespace(client, join(server.directory, "postgres"));
  await client.end();
  return {
    serverUrl: server.url("postgres"),
    template,
    tablespace,
    stop: async () => {
      // An app that files shared has its database as long as its process lives.
      await dropClones(server.url("postgres"));
      await server.stop();
      if (folder) rmSync(folder, { recursive: true, force: true });
      slot.free();
    },
  };
}

async function dropClones(url: string) {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const left = await client<{ name: string }[]>`
    select datname as name from pg_database where datname like 't\\_%'`;
  for (const { name } of left) await client`drop database ${client(name)} with (force)`;
  await client.end();
}

/** A clone is a thousand files that live for seconds: in memory, if it fits, without writing to a disk. */
async function makeTablespace(client: postgres.Sql, data: string) {
  const links = join(data, "pg_tblspc");
  const left = readdirSync(links).map((name) => join(links, name));
  const folders = left.map((link) => readlinkSync(link));
  // A killed run leaves its own, and perhaps no link to it, or one that the catalog does not know.
  await client`drop tablespace if exists clones`;
  for (const path of [...left, ...folders]) rmSync(path, { recursive: true, force: true });
  const memory = sharedMemory();
  if (!memory) return { tablespace: "pg_default", folder: null };
  const folder = mkdtempSync(join(memory, "checkintelli-test-"));
  const { uid, gid } = statSync(data);
  chownSync(folder, uid, gid);
  await client.unsafe(`create tablespace clones location '${folder}'`);
  return { tablespace: "clones", folder };
}

/** Migrations as the product runs them, in a process of their own: this one has no environment yet. */
async function migrated(url: string) {
  const env = { ...process.env, ...sandboxEnvironment(3000, 3001), DATABASE_URL: url };
  await promisify(execFile)(process.execPath, ["scripts/migrate.ts"], { env });
}

/**
 * Statements of the product that may change rows of several sellers: claims and clean-up, which skip locked rows; batches,
 * which get their rows as JSON; files that nothing uses; and a seller's own deletion.
 */
const OF_SEVERAL_SELLERS = [
  "skip locked",
  "jsonb_to_recordset",
  'update "pictures" set "touched_at"',
  'delete from "(pictures|stamped_copies|sellers)"',
].join("|");

/** Has any other statement of the product fail that changes rows of several sellers, as one does that lost a condition. */
async function watchSellers(url: string) {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client.unsafe(`create schema watch;
    create function watch.refuse_several_sellers() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') like 'checkintelli%' and current_query() !~ '${OF_SEVERAL_SELLERS}'
        and (select count(distinct seller_id) from changed) > 1 then
        raise 'this statement changes % of several sellers: %', tg_table_name, current_query();
      end if;
      return null;
    end $$`);
  const tables = await client<{ name: string }[]>`
    select relname as name from pg_class inner join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and attname = 'seller_id' and relnamespace = 'public'::regnamespace`;
  for (const { name } of tables)
    for (const event of ["update", "delete"])
      await client.unsafe(`create trigger one_seller_${event} after ${event} on "${name}"
        referencing old table as changed for each statement execute function watch.refuse_several_sellers()`);
  await client.end();
}

/** With `PARTITIONS`, all tests run on sales tables that are partitioned by seller. */
async function partitioned(url: string) {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await partitionBySeller(client);
  await client.end();
}

/** Changes with the migrations, ours and the queue's. */
function fingerprint(): string {
  const hash = createHash("sha256");
  hash.update(readFileSync("tests/support/setup/postgres.setup.ts"));
  if (process.env.PARTITIONS) hash.update(readFileSync("tests/support/partitions/by-seller.ts"));
  for (const file of readdirSync("drizzle").filter((f) => f.endsWith(".sql")))
    hash.update(file).update(readFileSync(join("drizzle", file)));
  hash.update(readFileSync("node_modules/graphile-worker/package.json"));
  return hash.digest("hex").slice(0, 12);
}
