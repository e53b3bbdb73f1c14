import { spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { connected } from "#scripts/backup/connected.ts";
import { eraseAgain, readErased, writeErased } from "#scripts/backup/erased-list.ts";
import { emptyDatabase, run as runOn } from "#tests/integration/database/restore-into.ts";
import { eraseWholly, runErasurePass } from "#tests/integration/erasure/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";

const folder = mkdtempSync(join(".cache", "erased-"));
const target = `erased_list_${process.pid}`;

afterAll(async () => {
  await sql`drop database if exists ${sql(target)} with (force)`;
});

const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
const entry = (saleId: string, at: Date, kind: "erased" | "requested" = "erased") =>
  `${createHmac("sha256", process.env.APP_SECRET!).update(`checkintelli-${kind}:${saleId}`).digest("base64url")} ${at.toISOString()}\n`;

test("two lists written at once to one file end in one whole list", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  await sql`update sales set anonymized_as = 'x', anonymized_at = now() where id = ${sale.id}`;
  const list = join(folder, "twice.list");
  const write = () => writeErased(process.env.DATABASE_URL!, [process.env.APP_SECRET!], list);
  const written = await Promise.all([write(), write(), write()]);
  expect(new Set(written).size).toBe(1);
  expect((await readErased(list))!.size).toBe(written[0]);
  expect(readdirSync(folder).filter((name) => name.startsWith("twice"))).toEqual(["twice.list"]);
});

test("a list that finds no room stays as it was, and nothing is left of a try, or of one that was killed a day ago", async () => {
  const own = mkdtempSync(join(folder, "full-"));
  const list = join(own, "erased.list");
  const before = `checkintelli-erased 1\n${entry(randomUUID(), new Date())}`;
  writeFileSync(list, before);
  const killed = `${list}.killed.part`;
  writeFileSync(killed, "half");
  utimesSync(killed, ago(2), ago(2));
  // No file may have a byte, as on a full disk.
  const script = `ulimit -f 0; exec "${process.execPath}" scripts/erased.ts "${list}"`;
  const { status } = spawnSync("sh", ["-c", script], { env: { ...process.env, NODE_OPTIONS: "" } });
  expect(status).toBe(1);
  expect(readdirSync(own)).toEqual(["erased.list"]);
  expect(readFileSync(list, "utf8")).toBe(before);
});

longTest(
  "a restore refuses a list that is missing or damaged before it fills anything, and says where there is none",
  async () => {
    const email = `sai-${randomUUID()}@exemplo.com.br`;
    const sale = await makeSale(await makeProduct(await makeSeller()), {
      status: "completed",
      customerEmail: email,
    });
    const file = join(folder, "shop.gz");
    expect(run("backup", process.env.DATABASE_URL!, file)).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(folder, "erased.list"))).toBe(true);
    await sql`create database ${sql(target)} template template0`;
    const url = new URL(process.env.DATABASE_URL!);
    url.pathname = `/${target}`;
    const restore = (...list: string[]) => run("restore", url.href, file, ...list);

    const nowhere = join(folder, "erazed.list");
    const missing = restore(nowhere);
    expect([missing.status, missing.stderr]).toEqual([1, `Não há lista ${nowhere}. Nada foi restaurado.\n`]);
    const whole = `checkintelli-erased 1\n${entry(sale.id, new Date())}`;
    const list = join(folder, "copied.list");
    for (const text of [
      "",
      "checkintelli",
      "checkintelli-erased 1",
      whole.slice(0, -20),
      whole.slice(0, -1),
    ]) {
      writeFileSync(list, text);
      const { status, stderr } = restore(list);
      expect([status, stderr], text).toEqual([1, expect.stringMatching(/^.*copied\.list.*\n$/)]);
    }
    // One that nobody named is read, too.
    writeFileSync(join(folder, "erased.list"), "");
    expect(restore()).toMatchObject({ status: 1, stderr: expect.stringContaining("erased.list") });

    // Nothing was filled: the right list can still be named.
    writeFileSync(list, whole);
    const done = restore(list);
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toContain("depois da cópia: 1.");
    // In one transaction: wherever a restore is cut off, nobody is back without being due again.
    const restored = postgres(url.href, { max: 1 });
    const filledBy = await restored`select xmin from sales union select xmin from erasures`;
    await restored.end();
    expect(filledBy).toHaveLength(1);

    await sql`drop database ${sql(target)} with (force)`;
    await sql`create database ${sql(target)} template template0`;
    rmSync(join(folder, "erased.list"));
    const without = restore();
    expect(without).toMatchObject({ status: 0, stderr: "" });
    expect(without.stdout).toContain(`Não há ${join(folder, "erased.list")}`);
  },
);

test("what a restore anonymizes again is what was anonymized, not what the buyer ordered after the request", async () => {
  const product = await makeProduct(await makeSeller());
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const bought = { status: "completed", customerEmail: email } as const;
  const sales = [
    // Paid long after it was ordered.
    await makeSale(product, { ...bought, createdAt: ago(5), completedAt: ago(2) }),
    await makeSale(product, { ...bought, createdAt: ago(3), completedAt: ago(3) }),
  ];
  expect(await eraseAgainFrom(entry(sales[0]!.id, ago(1)))).toBe(1);
  await eraseWholly(email);
  expect(await emailsOf(sales)).toEqual([null, email]);
});

test("a restore anonymizes again who was anonymized unpaid, paid late, gave an e-mail and then asked", async () => {
  const email = `eva-${randomUUID()}@exemplo.com.br`;
  const sale = await makeSale(await makeProduct(await makeSeller()), {
    ...{ status: "completed", customerEmail: email },
    ...{ createdAt: ago(40), anonymizedAt: ago(9), completedAt: ago(8) },
  });
  expect(await eraseAgainFrom(entry(sale.id, ago(1)))).toBe(1);
  await eraseWholly(email);
  expect(await emailsOf([sale])).toEqual([null]);
});

test("a restore anonymizes again who corrected their e-mail before they asked", async () => {
  const email = `troca-${randomUUID()}@exemplo.com.br`;
  const sale = await makeSale(await makeProduct(await makeSeller()), {
    ...{ status: "completed", customerEmail: email },
    ...{ createdAt: ago(40), completedAt: ago(40), emailCorrectedAt: ago(9) },
  });
  expect(await eraseAgainFrom(entry(sale.id, ago(1)))).toBe(1);
  await eraseWholly(email);
  expect(await emailsOf([sale])).toEqual([null]);
});

test.each(["erased", "requested"] as const)(
  "a restore leaves the other purchases of the address that one had before its correction alone: %s",
  async (kind) => {
    const product = await makeProduct(await makeSeller());
    const email = `antes-${randomUUID()}@exemplo.com.br`;
    const boughtAt = (days: number) =>
      makeSale(product, {
        status: "completed",
        customerEmail: email,
        createdAt: ago(days),
        completedAt: ago(days),
      });
    const sales = [await boughtAt(9), await boughtAt(8), await boughtAt(7)];
    const [, corrected] = sales;
    expect(await eraseAgainFrom(entry(corrected!.id, ago(1), kind))).toBe(1);
    expect(await sql`select 1 from erasures where email = ${email}`).toEqual([]);
    const [, ownAddress] = await emailsOf(sales);
    expect(ownAddress).toMatch(/^apagada-.+@conta\.invalid$/);
    await eraseWholly(ownAddress);
    expect(await emailsOf(sales)).toEqual([email, null, email]);
  },
);

test("a request that still waits is there again after a restore, with its time", async () => {
  const product = await makeProduct(await makeSeller());
  const [email, other] = ["espera", "outra"].map((name) => `${name}-${randomUUID()}@exemplo.com.br`) as [
    string,
    string,
  ];
  // It was ordered longer ago than a request waits.
  const old = { createdAt: ago(40), completedAt: ago(40) };
  const disputed = await makeSale(product, { ...old, status: "disputed", customerEmail: email });
  await makeSale(product, { status: "completed", customerEmail: other });
  const file = join(mkdtempSync(join(folder, "waiting-")), "shop.gz");
  expect(runOn("backup", file)).toMatchObject({ status: 0, stderr: "" });
  await requestErasure(email);
  await sql`update erasures set requested_at = ${ago(2)} where email = ${email}`;
  await runErasurePass(email);
  expect(await emailsOf([disputed])).toEqual([email]);
  const list = join(file, "..", "erased.list");
  expect(runOn("erased", list)).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(list, "utf8")).not.toContain(disputed.id);

  const url = await emptyDatabase();
  const { stdout } = runOn("restore", file, url);
  expect(stdout).toContain("depois da cópia: 1.");
  const restored = postgres(url, { max: 1 });
  const [asked] = await sql`select requested_at from erasures where email = ${email}`;
  // Neither is its wait shorter than it was, nor are orders of after it covered.
  expect(await restored`select email, requested_at from erasures`).toEqual([{ email, ...asked }]);
  await restored.end();
});

async function eraseAgainFrom(entries: string): Promise<number> {
  const list = join(folder, `${randomUUID()}.list`);
  writeFileSync(list, `checkintelli-erased 1\n${entries}`);
  const erased = await readErased(list);
  return connected(process.env.DATABASE_URL!, (client) =>
    eraseAgain(client, [process.env.APP_SECRET!], erased!),
  );
}

const emailsOf = async (sales: { id: string }[]) =>
  (
    await sql`select customer_email as email from sales where id = any (${sales.map(({ id }) => id)}) order by created_at`
  ).map(({ email }) => email);

function run(what: "backup" | "restore", databaseUrl: string, ...files: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${what}.ts`, ...files], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: databaseUrl },
  });
  return { status, stdout, stderr };
}
