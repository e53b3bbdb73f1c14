import { spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const folder = mkdtempSync(join(".cache", "erased-"));
const target = `erased_list_${process.pid}`;

afterAll(async () => {
  await sql`drop database if exists ${sql(target)} with (force)`;
});

const entry = (saleId: string, at: Date) =>
  `${createHmac("sha256", process.env.APP_SECRET!).update(`checkintelli-erased:${saleId}`).digest("base64url")} ${at.toISOString()}\n`;

test("a restore refuses a list that is missing or damaged before it fills anything, and says where there is none", async () => {
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
  for (const text of ["", "checkintelli", "checkintelli-erased 1", whole.slice(0, -20), whole.slice(0, -1)]) {
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
  expect(done.stdout).toContain("apaga de novo: 1.");

  await sql`drop database ${sql(target)} with (force)`;
  await sql`create database ${sql(target)} template template0`;
  rmSync(join(folder, "erased.list"));
  const without = restore();
  expect(without).toMatchObject({ status: 0, stderr: "" });
  expect(without.stdout).toContain(`Não há ${join(folder, "erased.list")}`);
});

function run(what: "backup" | "restore", databaseUrl: string, ...files: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${what}.ts`, ...files], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: databaseUrl },
  });
  return { status, stdout, stderr };
}
