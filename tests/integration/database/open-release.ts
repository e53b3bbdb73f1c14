import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { from } from "pg-copy-streams";
import { recordBaseline } from "#app/db/migrate.server.ts";
import { DAY, SECOND } from "#app/kit/duration.ts";
import { END, type Head, JOBS, type TableHead, type Tail } from "#scripts/backup/format.ts";
import { sql } from "#tests/support/database.ts";

/** What a shop of 1.0 stored, as its `npm run backup` wrote it, unpacked, and the hash of the migration that made its tables. */
export const RELEASE = "tests/integration/database/release-1.0/";
export const BASELINE = "drizzle/0000_baseline.sql";

export const hashOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

/**
 * Creates a database as 1.0 left it: its tables, its rows and its jobs, made as recently as when they were stored. Its owner drops it.
 * @returns its URL, and its tables with their numbers of rows
 */
export async function openRelease(name: string): Promise<{ url: string; rows: Record<string, number> }> {
  await sql`create database ${sql(name)} template template0`;
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(readFileSync(BASELINE, "utf8"));
  await recordBaseline((statement) => client.query(statement));
  await runMigrations({ connectionString: url.href, logger: undefined });
  // What triggers wrote is among the rows.
  await client.query("set session_replication_role = replica");
  const rows: Record<string, number> = {};
  for (const { table, columns, lines } of readTables()) {
    if (table === JOBS) await queueJobs(client, columns, lines);
    else {
      await copy(client, `"${table}" (${columns.map((column) => `"${column}"`).join(", ")})`, lines);
      await countOn(client, table);
      rows[table] = lines.length;
    }
  }
  await client.query("analyze");
  await client.end();
  return { url: url.href, rows };
}

/** The tables in the file: of the format that `write-backup` has. */
function readTables(): (TableHead & { lines: string[] })[] {
  const text = readFileSync(`${RELEASE}rows.txt`, "utf8");
  const [head, ...parts] = text.split(/^(?=\{"table"|\{"rows")/m);
  const age = Date.now() - Date.parse((JSON.parse(head!) as Head).madeAt);
  const tables = parts.slice(0, -1).map((part) => {
    const [first, ...lines] = part.split("\n");
    const moved = lines.slice(0, lines.indexOf(END)).map((line) => moveDates(line, age));
    return { ...(JSON.parse(first!) as TableHead), lines: moved };
  });
  const { rows } = JSON.parse(parts.at(-1)!) as Tail;
  if (tables.reduce((sum, { lines }) => sum + lines.length, 0) !== rows) throw new Error("rows are missing");
  return tables;
}

/** A moment in UTC, or a date that is alone in its column. */
const MOMENT =
  /(?<![\d-])(20\d\d-\d\d-\d\d)(?:([ T])(\d\d:\d\d:\d\d)(\.\d+)?(\+00(?::00)?|Z)|(?=[ T]\d\d:\d\d|\t|$))/g;

/**
 * Moves moments by `age` (ms), to the second, so that what was payable or due when the rows were made is so now; dates by
 * whole days.
 */
function moveDates(line: string, age: number): string {
  const seconds = Math.floor(age / SECOND) * SECOND;
  const days = Math.floor(age / DAY) * DAY;
  return line.replace(
    MOMENT,
    (_, date: string, separator: string, time: string, fraction = "", zone = "") => {
      if (!time) return new Date(Date.parse(date) + days).toISOString().slice(0, 10);
      const moved = new Date(Date.parse(`${date}T${time}Z`) + seconds).toISOString();
      return `${moved.slice(0, 10)}${separator}${moved.slice(11, 19)}${fraction}${zone}`;
    },
  );
}

async function copy(client: pg.Client, target: string, lines: string[]): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join("");
  await pipeline(
    Readable.from([text], { objectMode: false }),
    client.query(from(`copy ${target} from stdin`)),
  );
}

/** The numbers that follow continue those of the rows. */
async function countOn(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    "select attname as column from pg_attribute where attrelid = $1::regclass and attidentity <> ''",
    [`public."${table}"`],
  );
  for (const { column } of rows)
    await client.query(`select setval(pg_get_serial_sequence('"${table}"', '${column}'), max("${column}"))
      from "${table}" having max("${column}") is not null`);
}

async function queueJobs(client: pg.Client, columns: string[], lines: string[]): Promise<void> {
  await client.query(
    "create temporary table jobs (task text, payload json, run_at timestamptz, max_attempts int, key text, priority int)",
  );
  await copy(client, `jobs (${columns.join(", ")})`, lines);
  await client.query(`select graphile_worker.add_job(task, payload, run_at => run_at, max_attempts => max_attempts,
    job_key => key, priority => priority) from jobs`);
}
