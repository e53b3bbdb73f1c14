import { expect, test } from "vitest";
import { startPostgres } from "#scripts/postgres.ts";
import { startApp } from "#tests/support/app.ts";
import { openShopAt } from "#tests/support/open-shop-at.ts";
import { until } from "#tests/support/until.ts";

test("Postgres stops and comes back: plain 503 pages meanwhile, and nothing needs a restart", {
  timeout: 120_000,
}, async () => {
  const directory = `.cache/away-${process.pid}`;
  let database = await startPostgres(directory, { fast: true });
  const { port } = database;
  const slug = await openShopAt(database.url("postgres"));
  const app = await startApp({ databaseUrl: database.url("postgres") });
  const statusOf = async (path: string) => (await app.fetch(path)).status;
  expect(await statusOf("/readyz")).toBe(200);
  expect(await statusOf(`/checkout/s/${slug}`)).toBe(200);

  await database.stop();
  await until(async () => (await statusOf("/readyz")) === 503);
  expect(await statusOf("/healthz")).toBe(200);
  for (const path of [
    "/dashboard",
    "/checkout/9999",
    `/checkout/pix/${crypto.randomUUID()}`,
    `/thank-you/${crypto.randomUUID()}`,
  ]) {
    const answer = await app.fetch(path, { headers: { Cookie: "sessao=InF1YWxxdWVyIg%3D%3D" } });
    expect([path, answer.status]).toEqual([path, 503]);
    const page = await answer.text();
    expect(page).toContain("Estamos fora do ar por um instante");
    expect(page).not.toMatch(/ECONNREFUSED|Error|stack/);
  }
  const api = await app.fetch(`/api/sales/${crypto.randomUUID()}`);
  expect([api.status, (await api.json()).error]).toEqual([503, expect.stringContaining("fora do ar")]);

  database = await startPostgres(directory, { fast: true, port });
  await until(async () => (await statusOf("/readyz")) === 200, { seconds: 30 });
  expect(await statusOf(`/checkout/s/${slug}`)).toBe(200);
  const sold = await app.fetch("/api/payments/pushinpay", {
    method: "POST",
    body: JSON.stringify({
      product_id: Number(slug.split("-")[1]),
      customer_name: "Bia",
      customer_email: "bia@exemplo.com.br",
      customer_phone: "11987654321",
      customer_document: "52998224725",
    }),
  });
  expect(sold.status).toBe(200);
  const { sale_id: saleId } = await sold.json();
  const [transaction] = (await app.sandbox.transactions()).slice(-1);
  await app.sandbox.pay(transaction!.id);
  await until(async () => (await (await app.fetch(`/api/sales/${saleId}`)).json()).status === "completed", {
    seconds: 40,
  });
  await app.close();
  await database.stop();
});
