import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to } from "pg-copy-streams";
import { MINUTE } from "#app/kit/duration.ts";
import { connected } from "#scripts/backup/connected.ts";
import {
  END,
  EXCLUDED_TABLES,
  fingerprint,
  type Head,
  JOBS,
  type TableHead,
  type Tail,
} from "#scripts/backup/format.ts";
import { writeWhole } from "#scripts/backup/write-whole.ts";

/** A lock or a disk may take minutes; a line that was dropped without a word would be waited for for ever. */
const MAX_SILENCE = 10 * MINUTE;

/**
 * Writes a consistent snapshot of the whole shop to one file while it goes on selling.
 * @param maxSilence how long the database may send nothing, in milliseconds
 * @returns the number of rows
 */
export async function writeBackup(
  databaseUrl: string,
  secrets: string[],
  file: string,
  maxSilence = MAX_SILENCE,
): Promise<number> {
  const tail: Tail = { rows: 0 };
  const write = (part: string) => async (client: pg.Client) => {
    const copied = await beginSnapshot(client);
    const text = Readable.from(lines(client, copied, secrets, tail), { objectMode: false });
    await pipeline(text, createGzip(), createWriteStream(part, { mode: 0o600, flush: true }));
  };
  await writeWhole(file, (part) => connected(databaseUrl, write(part), maxSilence));
  return tail.rows;
}

const UNDEFINED_TABLE = "42P01";
/** That, and deadlock: a migration is under way. */
const CHANGED_MEANWHILE = [UNDEFINED_TABLE, "40P01"];

/**
 * Begins a transaction that sees every table as it is at one moment. All are locked before: to a snapshot that is older than a
 * migration, a table which that one rewrites would be empty.
 */
async function beginSnapshot(client: pg.Client): Promise<TableHead[]> {
  for (;;) {
    const expected = await tables(client);
    const names = [...expected.map(({ table }) => `"${table}"`), ...JOBS_TABLES];
    await client.query("begin isolation level repeatable read, read only");
    try {
      await client.query(`lock table ${names.join(", ")} in access share mode`);
      const found = await tables(client);
      if (isDeepStrictEqual(found, expected)) return found;
      await client.query("rollback");
    } catch (error) {
      const code = (error as pg.DatabaseError).code ?? "";
      if (!CHANGED_MEANWHILE.includes(code)) throw error;
      await client.query("rollback");
      // None of ours was removed meanwhile: it is one of the jobs', and would be missing for ever.
      if (code === UNDEFINED_TABLE && isDeepStrictEqual(await tables(client), expected)) throw error;
    }
  }
}

async function* lines(
  client: pg.Client,
  copied: TableHead[],
  secrets: string[],
  tail: Tail,
): AsyncGenerator<string | Buffer> {
  const journal = await client.query<{ at: string }>(
    "select max(created_at) as at from drizzle.__drizzle_migrations",
  );
  const [secret, otherSecret] = secrets.map(fingerprint);
  const head: Head = {
    format: "checkintelli-backup",
    version: 1,
    migration: Number(journal.rows[0]!.at),
    madeAt: new Date().toISOString(),
    secret: secret!,
    ...(otherSecret ? { otherSecret } : {}),
  };
  yield `${JSON.stringify(head)}\n`;
  for (const { table, columns } of copied) {
    yield* copy(
      client,
      { table, columns },
      `"${table}" (${columns.map((name) => `"${name}"`).join(", ")})`,
      tail,
    );
  }
  const columns = ["task", "payload", "run_at", "max_attempts", "key", "priority"];
  yield* copy(client, { table: JOBS, columns }, JOBS_QUERY, tail);
  yield `${JSON.stringify(tail)}\n`;
}

const JOBS_TABLES = ["graphile_worker._private_jobs", "graphile_worker._private_tasks"];
const JOBS_QUERY = `(
  select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id)`;

async function* copy(
  client: pg.Client,
  head: TableHead,
  source: string,
  tail: Tail,
): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(head)}\n`;
  for await (const chunk of client.query(to(`copy ${source} to stdout`)) as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) tail.rows++;
    yield chunk;
  }
  yield `${END}\n`;
}

/** Every table of ours; referenced tables come first, so that rows can be inserted in this order. */
async function tables(client: pg.Client): Promise<TableHead[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; needs: string[] }>(`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(distinct f.confrelid::regclass::text), '[]') from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`);
  const left = new Map(
    rows.filter(({ name }) => !EXCLUDED_TABLES.includes(name)).map((row) => [row.name, row]),
  );
  const ordered: TableHead[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => !needs.some((name) => left.has(name)));
    if (ready.length === 0) throw new Error(`circular references between tables: ${[...left.keys()]}`);
    for (const { name, columns } of ready) {
      ordered.push({ table: name, columns });
      left.delete(name);
    }
  }
  return ordered;
}
