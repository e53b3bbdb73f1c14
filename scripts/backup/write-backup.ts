import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to } from "pg-copy-streams";
import {
  END,
  fingerprint,
  type Head,
  JOBS,
  NOT_KEPT,
  type TableHead,
  type Tail,
} from "#scripts/backup/format.ts";

/**
 * Writes all that a shop is into one file, as it stood at one moment, while it goes on selling. The file has its name only
 * once it is whole; an earlier one of that name is kept until then.
 * @returns the number of rows
 */
export async function writeBackup(databaseUrl: string, secrets: string[], file: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const part = `${file}.part`;
  const told: Tail = { rows: 0 };
  await client.connect();
  try {
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    await client.query("begin isolation level repeatable read, read only");
    const text = Readable.from(lines(client, secrets, told), { objectMode: false });
    await pipeline(text, createGzip(), createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, file);
    return told.rows;
  } finally {
    await rm(part, { force: true });
    await client.end();
  }
}

async function* lines(client: pg.Client, secrets: string[], told: Tail): AsyncGenerator<string | Buffer> {
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
  for (const { table, columns } of await tables(client)) {
    yield* copy(
      client,
      { table, columns },
      `"${table}" (${columns.map((name) => `"${name}"`).join(", ")})`,
      told,
    );
  }
  const columns = ["task", "payload", "run_at", "max_attempts", "key", "priority"];
  yield* copy(client, { table: JOBS, columns }, JOBS_QUERY, told);
  yield `${JSON.stringify(told)}\n`;
}

const JOBS_QUERY = `(
  select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id)`;

async function* copy(
  client: pg.Client,
  head: TableHead,
  what: string,
  told: Tail,
): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(head)}\n`;
  for await (const chunk of client.query(to(`copy ${what} to stdout`)) as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) told.rows++;
    yield chunk;
  }
  yield `${END}\n`;
}

/** Every table of ours; what others refer to comes before them, so that rows can be written in this order. */
async function tables(client: pg.Client): Promise<TableHead[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; needs: string[] }>(`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(distinct f.confrelid::regclass::text), '[]') from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`);
  const left = new Map(rows.filter(({ name }) => !NOT_KEPT.includes(name)).map((row) => [row.name, row]));
  const ordered: TableHead[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => !needs.some((name) => left.has(name)));
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()]}`);
    for (const { name, columns } of ready) {
      ordered.push({ table: name, columns });
      left.delete(name);
    }
  }
  return ordered;
}
