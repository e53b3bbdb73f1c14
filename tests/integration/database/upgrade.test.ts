import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { BASELINE, hashOf, openRelease, RELEASE } from "#tests/integration/database/open-release.ts";
import { startApp } from "#tests/support/app.ts";
import { sellOne } from "#tests/support/clients/sold-through.ts";
import { sql } from "#tests/support/database.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { until } from "#tests/support/until.ts";

const NAME = `release_${process.pid}`;

afterAll(async () => {
  await sql`drop database if exists ${sql(NAME)} with (force)`;
});

test("the migration that made the tables of 1.0 is the one that 1.0 ran", () => {
  expect(
    hashOf(BASELINE),
    "a released migration is never edited; until 1.0 is out, make the release anew: docs/testing.md",
  ).toBe(readFileSync(`${RELEASE}baseline.sha256`, "utf8").trim());
});

test("the newest code runs on the tables and rows of 1.0: all are kept, its queues go on, its shop sells", async () => {
  const { url, rows } = await openRelease(NAME);
  expect(migrate(url)).toEqual({ status: 0, stderr: "" });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const one = async (query: string) => (await client.query<Record<string, string>>(query)).rows[0]!;
  for (const [table, count] of Object.entries(rows))
    expect(await one(`select count(*)::int as rows from "${table}"`), table).toEqual({ rows: count });
  const waiting = await one("select recipient from mails where status = 'attempting' and kind = 'pix'");

  const app = await startApp({ databaseUrl: url });
  const mail = await until(async () => (await app.sandbox.emails(waiting.recipient))[0], {
    what: "the mail that 1.0 had queued",
  });
  expect(mail.body.html).toContain("PIX");

  const product = await one(
    "select id, name, seller_id from products where checkout_slug = 'curso-de-violao'",
  );
  const checkout = await app.fetch("/checkout/s/curso-de-violao");
  expect([checkout.status, await checkout.text()]).toEqual([200, expect.stringContaining(product.name!)]);
  await sellOne(app, product.id!, "atualizada@exemplo.com.br");
  const isMailed = async () => {
    const { rows } = await client.query(
      "select from mails where kind = 'purchase' and recipient = 'atualizada@exemplo.com.br' and status = 'sent'",
    );
    return rows.length === 1;
  };
  await until(isMailed, { what: "the mail of a purchase after the upgrade" });

  const signedIn = await app.fetch("/api/sessions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "vendedor@exemplo.com.br", password: "demonstracao-123" }),
  });
  expect(signedIn.status).toBeLessThan(300);
  const headers = { Cookie: signedIn.headers.get("set-cookie")!.split(";")[0]! };
  const ofSeller = (what: string) => `select id from ${what} and seller_id = '${product.seller_id}' limit 1`;
  const ids: Record<string, string> = { productId: product.id!, provider: "mercadopago" };
  for (const [name, query] of Object.entries({
    couponId: "coupons where archived_at is null",
    offerId: `offers where archived_at is null and product_id = ${product.id}`,
    webhookId: "destinations where kind = 'webhook' and deleted_at is null",
    pixelId: "destinations where kind = 'meta'",
    areaId: "destinations where kind = 'memberkit'",
  }))
    ids[name] = (await one(ofSeller(query))).id!;
  const pages = (await routeTable()).filter(({ file }) => /^routes\/seller\/.*\.tsx$/.test(file));
  expect(pages.length).toBeGreaterThan(20);
  for (const { rows: sales } of [
    await client.query<{ id: string }>(
      "select distinct on (status) id from sales order by status, created_at",
    ),
  ])
    for (const { id: saleId } of sales) {
      const answer = await app.fetch(`/reports/sales/${saleId}`, { headers });
      expect([saleId, answer.status]).toEqual([saleId, 200]);
    }
  for (const { address } of pages) {
    if (address.includes(":saleId")) continue;
    const answer = await app.fetch(fillAddress(address, ids), { headers });
    expect([address, answer.status]).toEqual([address, 200]);
  }
  const errors = app.log().filter(({ level }) => Number(level) >= 50);
  expect(errors).toEqual([]);
  await client.end();
});

function migrate(databaseUrl: string) {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/migrate.ts"], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: databaseUrl },
  });
  return { status, stderr };
}
