import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { readBackup } from "#scripts/backup/read-backup.ts";
import { writeBackup } from "#scripts/backup/write-backup.ts";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { emptyDatabase, run } from "#tests/integration/database/restore-into.ts";
import { eraseWholly } from "#tests/integration/erasure/support.ts";
import { openLine } from "#tests/integration/harness/line.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { order, sellOne } from "#tests/support/clients/sold-through.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { fillTables } from "#tests/support/rows/fill-tables.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/** Numbers that are in links, of which some were given after the copy was made. */
const IN_LINKS = ["products_id_seq", "order_bumps_id_seq", "upsells_id_seq"];
const folder = mkdtempSync(join(".cache", "backup-"));
/** What a session, a mailed link or a cookie opens. */
const ACCESS = ["buyer_sessions", "email_tokens", "held_forms", "sessions"];
/** When something is checked next: a restored shop asks about its charges at once. */
const MADE_DUE = new Map([
  ["charges", "next_check_at"],
  ["gateway_accounts", "next_paced_check_at"],
  ["paced_checks", "scheduled_at"],
]);
const back = (file: string) => writeBackup(process.env.DATABASE_URL!, [process.env.APP_SECRET!], file);

longTest(
  "all is lost and restored: nothing is sent a second time, and the sweeper settles what was paid meanwhile",
  async () => {
    const app = await startApp();
    const { seller, product } = await openShop();
    await makeTracking(seller);
    await makeWebhook(seller, { name: "restored" });
    await sellOne(app, product.id, "antes@exemplo.com.br");
    const waiting = await order(app.url, product.id, "espera@exemplo.com.br");
    await until(
      async () =>
        (await sql`select 1 from mails where status = 'attempting'`).length === 0 &&
        (await sql`select 1 from deliveries where status = 'queued'`).length === 0,
      { what: "everything to be told" },
    );
    // A delivery that was accepted is to be sent again when the copy is made.
    const [resent] =
      await sql`update deliveries set status = 'queued', attempts = 0, scheduled_at = 'infinity'
      where id = (select id from deliveries where attempt_log @> '[{"result": "taken"}]' limit 1) returning id`;
    // A mail waits when the copy is made, and leaves afterwards.
    await app.sandbox.fault({ service: "resend", mode: "http-500", times: 1000 });
    await app.fetch("/forgot-password", {
      method: "POST",
      body: new URLSearchParams({ email: seller.email }),
    });
    await until(
      async () => (await sql`select 1 from mails where status = 'attempting' and attempts > 0`).length === 1,
    );

    const file = join(folder, "copia.gz");
    expect(run("backup", file)).toMatchObject({ status: 0, stderr: "" });

    await app.sandbox.endFaults("resend");
    await until(async () => (await sql`select 1 from mails where status = 'attempting'`).length === 0);
    await sellOne(app, product.id, "depois@exemplo.com.br");
    for (const process of [...app.web, ...app.worker]) await process.kill();
    // Paid while no process is listening.
    const [charge] = await sql`select provider_id from charges where sale_id = ${waiting}`;
    await app.sandbox.webhooks({ drop: true });
    await app.sandbox.pay(charge!.provider_id);
    const [mails, orders] = [await app.sandbox.emails(), await app.sandbox.orders()];

    const databaseUrl = await emptyDatabase();
    expect(run("restore", file, databaseUrl)).toMatchObject({ status: 0, stderr: "" });
    const restored = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    const restarted = await startApp({
      sandbox: false,
      databaseUrl,
      env: sandboxEnvironment(Number(new URL(app.url).port), Number(new URL(app.sandbox.url).port)),
    });
    await restored`select graphile_worker.add_job('sweep-charges', '{}'::json, job_key => 'sweep-now')`;
    await until(
      async () =>
        (await restored`select 1 from sales where id = ${waiting} and status = 'completed'`).length === 1,
      { what: "the sale that was paid meanwhile" },
    );
    await until(async () => (await app.sandbox.emails("espera@exemplo.com.br")).length > 0);
    await app.sandbox.webhooks({ drop: false });
    await sellOne({ ...app, url: restarted.url, fetch: restarted.fetch }, product.id, "enfim@exemplo.com.br");

    // What was delivered before is not delivered again.
    const mailed = await app.sandbox.emails();
    const fresh = mailed.slice(mails.length).map(({ body }) => `${body.to}`);
    expect(fresh.filter((to) => !/^(espera|enfim)@/.test(to) && to !== seller.email)).toEqual([]);
    const links = mailed.filter(({ body }) => /reset-password/.test(body.html ?? ""));
    expect(links).toHaveLength(1);
    const known = new Set(orders.map((one) => JSON.stringify([one.orderId, one.status])));
    const repeated = (await app.sandbox.orders())
      .slice(orders.length)
      .filter((one) => known.has(JSON.stringify([one.orderId, one.status])));
    expect(repeated).toEqual([]);
    expect(await restored`select status, reason from deliveries where id = ${resent!.id}`).toEqual([
      { status: "sent", reason: "restored" },
    ]);
    const [ended] = await restored`select status, error from mails where kind = 'reset-password'`;
    expect(ended).toEqual({ status: "failed", error: expect.stringContaining("pode já ter sido enviado") });
    // Rows written after the copy are missing; earlier ones are there, and their sequences continue.
    const emails = await restored`select customer_email as email, status from sales order by created_at`;
    expect(emails.map(({ email, status }) => `${email} ${status}`)).toEqual([
      "antes@exemplo.com.br completed",
      "espera@exemplo.com.br completed",
      "enfim@exemplo.com.br completed",
    ]);
    await restored.end();
  },
);

test("every table and every row comes back as it was, except what signs people in", async () => {
  // Nothing is pending: a restore ends what was.
  await fillTables({ reminders: { scheduledAt: new Date(Date.now() + 86_400_000) } });
  await sql`update mails set status = 'failed' where status = 'attempting'`;
  await sql`update queued_mails set scheduled_at = null`;
  await sql`update deliveries set status = 'dropped', next_attempt_at = null, leased_until = null where status = 'queued'`;
  const file = join(folder, "whole.gz");
  await back(file);
  const databaseUrl = await emptyDatabase(inject("template"));
  await readBackup(databaseUrl, [process.env.APP_SECRET!], file, new Map());
  const other = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname not in ('throttles', 'queue_workers') order by 1`;
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    if (ACCESS.includes(name)) continue;
    const dueColumn = MADE_DUE.get(name);
    const row = dueColumn ? `to_jsonb(t) - '${dueColumn}'` : "t";
    const sum = `select count(*)::int as rows, md5(string_agg((${row})::text, ',' order by (${row})::text)) as sum from "${name}" t`;
    const [mine] = await sql.unsafe(sum);
    expect(mine!.rows, `rows of ${name}, which is to be full`).toBeGreaterThan(0);
    expect(await other.unsafe(sum), name).toEqual([mine]);
  }
  const numbers = `select sequencename, last_value from pg_sequences where schemaname = 'public' and last_value is not null order by 1`;
  for (const row of await other.unsafe(numbers)) {
    const [mine] = await sql`select last_value from pg_sequences where sequencename = ${row.sequencename}`;
    const skipped = IN_LINKS.includes(row.sequencename) ? 10_001 : 0;
    expect(Number(row.last_value), row.sequencename).toBeLessThanOrEqual(Number(mine!.last_value) + skipped);
  }
  await other.end();
});

test("after a restore everybody signs in again, and the operator reads which access is back", async () => {
  await fillTables();
  const file = join(mkdtempSync(join(folder, "access-")), "shop.gz");
  await back(file);
  const databaseUrl = await emptyDatabase();
  const { status, stdout, stderr } = run("restore", file, databaseUrl);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/precisam entrar de novo/);
  expect(stdout).toMatch(/chaves de API revogadas e senhas trocadas depois da cópia/);
  const other = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  for (const table of ACCESS) {
    expect((await sql`select from ${sql(table)}`).length, table).toBeGreaterThan(0);
    expect((await other`select from ${other(table)}`).length, table).toBe(0);
  }
  expect((await other`select from api_keys`).length).toBeGreaterThan(0);
  await other.end();
});

test("two copies made at once under one name are both whole", async () => {
  const own = mkdtempSync(join(folder, "twice-"));
  const rows = await Promise.all([back(join(own, "shop.gz")), back(join(own, "shop.gz"))]);
  expect(readdirSync(own)).toEqual(["shop.gz"]);
  const [last] = gunzipSync(readFileSync(join(own, "shop.gz")))
    .toString()
    .trimEnd()
    .split("\n")
    .slice(-1);
  expect(rows).toContain(JSON.parse(last!).rows);
});

test("what a killed copy left is deleted by the next one of its name, a day later", async () => {
  const own = mkdtempSync(join(folder, "killed-"));
  const names = ["shop.gz.killed.part", "shop.gz.part", "shop.gz.running.part", "other.gz.killed.part"];
  for (const name of names) writeFileSync(join(own, name), "half");
  const before = new Date(Date.now() - DAY - MINUTE);
  for (const name of names.filter((one) => one !== "shop.gz.running.part"))
    utimesSync(join(own, name), before, before);
  await back(join(own, "shop.gz"));
  expect(readdirSync(own).sort()).toEqual(["other.gz.killed.part", "shop.gz", "shop.gz.running.part"]);
});

test("a copy whose connection is lost fails, and leaves no file", async () => {
  const own = mkdtempSync(join(folder, "lost-"));
  const lock = await holdLock((tx) => tx`lock table products in access exclusive mode`);
  const copying = back(join(own, "shop.gz"));
  copying.catch(() => {});
  const [waiting] = await until(async () => {
    const found = await sql`select pid from pg_stat_activity where query like 'lock table %"products"%'
      and datname = current_database() and wait_event_type = 'Lock'`;
    return found.length > 0 ? found : null;
  });
  await sql`select pg_terminate_backend(${waiting!.pid})`;
  await expect(copying).rejects.toThrow("terminating connection");
  await lock.release();
  expect(readdirSync(own)).toEqual([]);
});

test("a copy whose line falls silent fails, and leaves no file", async () => {
  const own = mkdtempSync(join(folder, "silent-"));
  const url = new URL(process.env.DATABASE_URL!);
  const line = await openLine(Number(url.port));
  Object.assign(url, { host: `127.0.0.1:${line.port}` });
  const lock = await holdLock((tx) => tx`lock table products in access exclusive mode`);
  const copying = writeBackup(url.href, [process.env.APP_SECRET!], join(own, "shop.gz"), 5 * SECOND);
  copying.catch(() => {});
  await untilLockedOut();
  line.isSilent = true;
  await lock.release();
  await expect(copying).rejects.toMatchObject({ code: "ETIMEDOUT" });
  line.close();
  expect(readdirSync(own)).toEqual([]);
});

test.each([
  ["backup", "wrong.gz"],
  ["erased", "wrong.list"],
  ["retry-mails", "2020-01-01"],
] as const)(
  "%s of no shop says in one sentence that there is none, and creates nothing",
  async (what, name) => {
    // Others may pass through the folders above it: else PostgreSQL's programs would be copied elsewhere first.
    const own = join(".cache", `nowhere-${randomUUID()}`);
    mkdirSync(own);
    const argument = what === "retry-mails" ? name : join(own, name);
    const inEmptyFolder = run(what, argument, "", { DATA_DIR: own });
    const ofEmptyDatabase = run(what, argument, await emptyDatabase());
    const saidOf = ({ status, stderr }: typeof inEmptyFolder) => [status, stderr.trim().split("\n")];
    expect(saidOf(inEmptyFolder)).toEqual([1, [expect.stringContaining(`Não há banco de dados em ${own}.`)]]);
    expect(saidOf(ofEmptyDatabase)).toEqual([1, [expect.stringContaining("não tem as tabelas de uma loja")]]);
    expect(readdirSync(own)).toEqual([]);
  },
);

test("a restore says that its list is missing, also where it has the settings of npm start", () => {
  const { PATH = "", HOME = "" } = process.env;
  const list = join(folder, "nowhere.list");
  const { status, stderr } = spawnSync(process.execPath, ["scripts/restore.ts", "shop.gz", list], {
    encoding: "utf8",
    env: { PATH, HOME } as unknown as NodeJS.ProcessEnv,
  });
  expect([status, stderr.trim()]).toEqual([1, `Não há lista ${list}. Nada foi restaurado.`]);
});

test("a copy of a database that has no jobs fails, and leaves no file", async () => {
  const own = mkdtempSync(join(folder, "jobless-"));
  const url = await emptyDatabase();
  const jobless = postgres(url, { max: 1 });
  await jobless`create schema graphile_worker`;
  await jobless.end();
  const copying = writeBackup(url, [process.env.APP_SECRET!], join(own, "shop.gz"));
  await expect(copying).rejects.toThrow('relation "graphile_worker._private_jobs" does not exist');
  expect(readdirSync(own)).toEqual([]);
});

test("a copy that begins while a migration rewrites a table has the rows of it", async () => {
  const { id } = await makeSeller();
  const file = join(mkdtempSync(join(folder, "rewritten-")), "shop.gz");
  const rewriting = await holdLock(async (tx) => {
    await tx`create table rewritten (id int)`;
    await tx`alter table sellers add column rewritten uuid not null default gen_random_uuid()`;
  });
  const copying = back(file);
  copying.catch(() => {});
  await until(
    async () =>
      (
        await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query like '%"sellers"%'`
      ).length > 0,
  );
  await rewriting.release();
  await copying;
  const text = gunzipSync(readFileSync(file)).toString();
  await sql`drop table rewritten`;
  await sql`alter table sellers drop column rewritten`;
  expect(text).toContain(`"table":"rewritten"`);
  expect(text.split('{"table":"sellers"')[1]!.split("\n\\.\n")[0]).toContain(id);
});

longTest(
  "whoever was emptied after the copy was made is emptied again where it is restored, and nobody else",
  async () => {
    const product = await makeProduct(await makeSeller());
    const [gone, stays] = ["sai", "fica"].map((name) => `${name}-${randomUUID()}@exemplo.com.br`) as [
      string,
      string,
    ];
    // Of the last day's payments nobody is anonymized yet.
    const before = new Date(Date.now() - 2 * 86_400_000);
    const paid = { status: "completed", createdAt: before, completedAt: before } as const;
    const [first, second] = [
      await makeSale(product, { ...paid, customerEmail: gone }),
      await makeSale(product, { ...paid, customerEmail: gone }),
    ];
    await makeSale(product, { status: "completed", customerEmail: stays });
    const file = join(mkdtempSync(join(folder, "erased-")), "shop.gz");
    expect(run("backup", file)).toMatchObject({ status: 0 });
    await requestErasure(gone);
    await eraseWholly(gone);
    const list = join(file, "..", "erased.list");
    expect(run("erased", list)).toMatchObject({ status: 0, stderr: "" });
    const text = readFileSync(list, "utf8");
    for (const secret of [gone, first.id, second.id]) expect(text).not.toContain(secret);
    const databaseUrl = await emptyDatabase();
    const { stdout } = run("restore", file, databaseUrl);
    expect(stdout).toContain("depois da cópia: 1.");
    const other = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    expect(await other`select email from erasures where email in ${other([gone, stays])}`).toEqual([
      { email: gone },
    ]);
    // The old list is not lost by restoring an older database.
    expect(run("erased", list, databaseUrl)).toMatchObject({ status: 0 });
    expect(readFileSync(list, "utf8")).toBe(text);
    const app = await startApp({ web: 0, sandbox: false, databaseUrl });
    await until(async () => (await other`select from sales where customer_email = ${gone}`).length === 0);
    expect(await other`select from sales where customer_email = ${stays}`).toHaveLength(1);
    await app.close();
    await other.end();
  },
);

longTest(
  "a copy that is cut, of another secret, of a newer version or no copy at all is refused, and nothing is half restored",
  async () => {
    const file = join(folder, "good.gz");
    run("backup", file);
    const text = gunzipSync(readFileSync(file)).toString("latin1");
    const [head, ...rest] = text.split("\n");
    const files = {
      "cut.gz": (name: string) => {
        writeFileSync(name, readFileSync(file));
        truncateSync(name, readFileSync(file).length - 200);
      },
      "short.gz": (name: string) =>
        writeFileSync(name, gzipSync(Buffer.from([head, ...rest.slice(0, -40)].join("\n"), "latin1"))),
      "newer.gz": (name: string) =>
        writeFileSync(name, gzipSync(JSON.stringify({ ...JSON.parse(head!), migration: 9e15 }))),
      "other.gz": (name: string) =>
        writeFileSync(name, gzipSync(JSON.stringify({ ...JSON.parse(head!), secret: "0000" }))),
      "text.gz": (name: string) => writeFileSync(name, gzipSync("hello\n")),
      "plain.gz": (name: string) => writeFileSync(name, "hello"),
    };
    const databaseUrl = await emptyDatabase();
    for (const [name, write] of Object.entries(files)) {
      write(join(folder, name));
      const { status, stderr } = run("restore", join(folder, name), databaseUrl);
      expect(status, name).toBe(1);
      expect(stderr, name).toMatch(/cópia/);
      expect(stderr, name).not.toContain("    at ");
    }
    expect(run("restore", join(folder, "nowhere.gz"), databaseUrl).stderr).toContain("Não há arquivo");
    const other = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    const [row] =
      await other`select (select count(*) from sellers)::int as sellers, (select count(*) from sales)::int as sales`;
    expect(row).toEqual({ sellers: 0, sales: 0 });
    // And whole into a database that is in use: no.
    expect(run("restore", file, databaseUrl).status).toBe(0);
    expect(run("restore", file, databaseUrl).stderr).toContain("não está vazio");
    await other.end();
  },
);

longTest(
  "a copy is not restored into tables that are newer: what their migrations do to rows would be missing",
  async () => {
    const file = join(folder, "earlier.gz");
    expect(run("backup", file).status).toBe(0);
    const databaseUrl = await emptyDatabase();
    expect(run("migrate", "", databaseUrl)).toMatchObject({ status: 0, stderr: "" });
    const upgraded = postgres(databaseUrl, { max: 1 });
    await upgraded`insert into drizzle.__drizzle_migrations (hash, created_at)
    select 'later', max(created_at) + 1 from drizzle.__drizzle_migrations`;
    const { status, stderr } = run("restore", file, databaseUrl);
    const [left] = await upgraded`select count(*)::int as sellers from sellers`;
    await upgraded.end();
    expect([status, left]).toEqual([1, { sellers: 0 }]);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining("Restaure em um banco novo")]);
  },
);

longTest(
  "a copy of before a change of the secret is restored where that secret is named beside the new one",
  async () => {
    const [before, after] = ["o segredo de antes", "o segredo de agora"].map(
      (name) => `${name}, com mais de 32 letras`,
    );
    const [plain, between] = ["plain.gz", "between.gz"].map((name) => join(folder, name)) as [string, string];
    run("backup", plain, process.env.DATABASE_URL!, { APP_SECRET: before! });
    run("backup", between, process.env.DATABASE_URL!, { APP_SECRET: after!, APP_SECRET_OLD: before! });
    const restore = (file: string, APP_SECRET: string, APP_SECRET_OLD = "") =>
      emptyDatabase().then((url) => run("restore", file, url, { APP_SECRET, APP_SECRET_OLD }).status);
    expect(await restore(plain, after!)).toBe(1);
    expect(await restore(plain, after!, before)).toBe(0);
    expect(await restore(between, after!)).toBe(1);
    expect(await restore(between, after!, before)).toBe(0);
  },
);
