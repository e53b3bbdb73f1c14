import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { to } from "pg-copy-streams";
import { afterAll, expect } from "vitest";
import { END, type TableHead } from "#scripts/backup/format.ts";
import { convertOldTables, makeOldTables } from "#scripts/restore-old/old-backup.ts";
import { oldMigrations } from "#scripts/restore-old/old-migrations.ts";
import { sql } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";

/** Written by the code of before 1.0, every table and column of its schema full: `npm run backup`, unpacked. */
const BACKUP = readFileSync("tests/integration/database/old-backup.txt", "utf8");
/** What the conversion drops or changes: checked separately below. */
const CHANGED = [
  "backfills",
  "tracking_connections",
  "tracking_events",
  "tracking_products",
  "outbox",
  "destinations",
  "report_marks",
];
/** Columns that nothing reads any more, and those that a restore sets. */
const DROPPED = [
  ...["charges.next_check_at", "gateway_accounts.next_paced_check_at", "paced_checks.due_at"],
  ...["payload", "facts", "body_sealed", "due_at", "turn_at", "claimed_at", "unsure_since"].map(
    (column) => `mails.${column}`,
  ),
  ...["priority", "account", "request_id", "cleared_at"].map((column) => `mails.${column}`),
];
/** What every restore ends: people sign in again. */
const ENDED = ["buyer_sessions", "email_tokens", "held_forms", "sessions"];
const folder = mkdtempSync(join(".cache", "old-backup-"));
const file = join(folder, "copia.gz");
const made: string[] = [];
writeFileSync(file, gzipSync(BACKUP));

afterAll(async () => {
  for (const name of made) await sql`drop database if exists ${sql(name)} with (force)`;
});

longTest(
  "a backup that the code of before wrote is restored row by row, under the names of now",
  async () => {
    const { url, client } = await emptyDatabase();
    expect(restore(file, url)).toMatchObject({ status: 0, stderr: "" });
    const names = await namesOfNow();
    for (const { table, columns, rows } of tables()) {
      if (CHANGED.includes(table)) continue;
      const isKept = (_: unknown, at: number) => !DROPPED.includes(`${table}.${columns[at]}`);
      const now = columns.filter(isKept).map((column) => names.get(`${table}.${column}`));
      expect(now.filter((one) => one === undefined).length, `columns of ${table} that are gone`).toBe(0);
      const list = now.map((one) => `"${one!.column}"`).join(", ");
      const copied = await text(client.query(to(`copy "${now[0]!.table}" (${list}) to stdout`)));
      const expected = rows.map((row) => row.split("\t").filter(isKept).join("\t")).sort();
      expect(copied.split("\n").filter(Boolean).sort(), table).toEqual(ENDED.includes(table) ? [] : expected);
    }
    expect(tables().length).toBeGreaterThan(50);
    // Rows without a seller of their own get that of their sale or product.
    const { rows } = await client.query(
      `select (select count(*) from charge_events e where e.seller_id = (select s.seller_id from sales s
      inner join charges c on c.sale_id = s.id where c.id = e.charge_id)) as facts,
    (select count(*) from order_bumps b where b.seller_id = (select seller_id from products where id = b.product_id)) as bumps,
    (select count(*) from idempotency_keys k where k.seller_id = (select seller_id from sales where id = k.sale_id)) as names`,
    );
    expect(rows).toEqual([{ facts: "1", bumps: "1", names: "1" }]);
    // What is counted by now and was not then is counted anew.
    const unmarked = await client.query("select day from report_days except select day from report_marks");
    expect(unmarked.rows).toEqual([]);
    // The restored database has this version, and works on.
    const { status, stderr } = run("migrate", [], url);
    expect([status, stderr]).toEqual([0, ""]);
    await client.end();
  },
);

longTest(
  "data of UTMify's own tables becomes a destination, and its last states are in the log",
  async () => {
    const { url, client } = await emptyDatabase();
    restore(file, url);
    const { rows } = await client.query(
      `select token_sealed is not null as has_token, product_ids, except_product_ids, settings, stopped_at is not null as stopped
    from destinations where kind = 'utmify' order by 1`,
    );
    const saved = { apiUrl: null, sourceId: "checkintelli", former: [] };
    expect(rows).toEqual([
      {
        ...{ has_token: false, product_ids: null, except_product_ids: ["1004"], stopped: true },
        settings: { ...saved, isEnabled: false },
      },
      {
        ...{ has_token: true, product_ids: null, except_product_ids: ["1003"], stopped: false },
        settings: { ...saved, isEnabled: true },
      },
    ]);
    const log = await client.query(
      `select event, o.status, reason, attempts from deliveries o inner join destinations d on d.id = o.destination_id
    where d.kind = 'utmify' order by event`,
    );
    expect(log.rows).toEqual([
      { event: "pix.generated", status: "sent", reason: "taken", attempts: 1 },
      { event: "sale.paid", status: "refused", reason: "token", attempts: 4 },
      { event: "sale.refunded", status: "dropped", reason: "restored", attempts: 0 },
    ]);
    const others = tables().find(({ table }) => table === "outbox")!.rows.length;
    expect((await client.query("select from deliveries")).rowCount).toBe(others + 3);
    await client.end();
  },
);

longTest(
  "a cut dump leaves an empty database that accepts the whole one; one of an unknown state is refused, and so is a second",
  async () => {
    const { url, client } = await emptyDatabase();
    const cut = join(folder, "cut.gz");
    writeFileSync(cut, gzipSync(BACKUP.slice(0, -3000)));
    expect(restore(cut, url)).toMatchObject({ status: 1, stderr: expect.stringContaining("inteira") });
    const strange = join(folder, "strange.gz");
    writeFileSync(strange, gzipSync(BACKUP.replace(/"migration":\d+/, '"migration":1700000000000')));
    expect(restore(strange, url)).toMatchObject({ status: 1, stderr: expect.stringContaining("nenhuma") });
    const { rows } = await client.query(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    expect(rows).toEqual([]);
    expect(restore(file, url)).toMatchObject({ status: 0, stderr: "" });
    expect(restore(file, url)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("não está vazio"),
    });
    await client.end();
  },
);

/** The current name of each old column: the conversion renames, and a renamed column keeps its number. */
async function namesOfNow(): Promise<Map<string, { table: string; column: string }>> {
  const { url, client } = await emptyDatabase();
  const named = async () => {
    const { rows } = await client.query<{ key: string; table: string; column: string }>(
      `select attrelid || '.' || attnum as key, c.relname as table, attname as column
      from pg_attribute a inner join pg_class c on c.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
    );
    return new Map(rows.map(({ key, ...names }) => [key, names]));
  };
  const newest = oldMigrations().at(-1)!.when;
  await makeOldTables(url, client, newest);
  const before = await named();
  await convertOldTables(client, newest);
  const after = await named();
  await client.end();
  return new Map(
    [...before].flatMap(([key, { table, column }]) =>
      after.has(key) ? [[`${table}.${column}`, after.get(key)!]] : [],
    ),
  );
}

/** The backup's tables: of the format that `write-backup` has. */
function tables(): (TableHead & { rows: string[] })[] {
  const [, ...parts] = BACKUP.split(/^(?=\{"table")/m);
  return parts
    .map((part) => {
      const [head, ...lines] = part.split("\n");
      return { ...(JSON.parse(head!) as TableHead), rows: lines.slice(0, lines.indexOf(END)) };
    })
    .filter(({ table }) => !table.includes(" "));
}

const restore = (from: string, url: string) => run("restore", [from], url);

function run(what: "restore" | "migrate", args: string[], databaseUrl: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${what}.ts`, ...args], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: databaseUrl },
  });
  return { status, stdout, stderr };
}

async function emptyDatabase(): Promise<{ url: string; client: pg.Client }> {
  const name = `old_${made.length}_${process.pid}`;
  made.push(name);
  await sql`create database ${sql(name)} template template0`;
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return { url: url.href, client };
}
