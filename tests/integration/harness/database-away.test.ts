import { expect } from "vitest";
import { startPostgres } from "#scripts/postgres.ts";
import { openShopAt } from "#tests/integration/harness/open-shop-at.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

longTest("Postgres stops and returns: plain 503 pages meanwhile, and nothing needs a restart", async () => {
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
  // Opened before, and still not read from the cache: nobody could submit it.
  expect(await statusOf(`/checkout/s/${slug}`)).toBe(503);
  expect(await wrongAnswers(app, slug)).toEqual([]);

  database = await startPostgres(directory, { fast: true, port });
  await until(async () => (await statusOf("/readyz")) === 200);
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
  await until(
    async () => (await (await app.fetch(`/api/sales/${saleId}`)).json()).status === "completed",
    {},
  );
  await app.close();
  await database.stop();
});

/** Valid for their addresses, but without rows. */
const idsFor = (slug: string) =>
  new Proxy<Record<string, string>>(
    { slug, productId: "9999", provider: "pushinpay" },
    { get: (known, name: string) => known[name] ?? crypto.randomUUID() },
  );

/** The routes, with each method of the API, that answer with anything but plain text while there is no database. */
async function wrongAnswers(app: App, slug: string): Promise<string[]> {
  const pages = (await routeTable()).filter(({ address }) => !address.startsWith("/api/"));
  const requests: { method: string; address: string; init: RequestInit; accept?: string }[] = [
    ...pages.map(({ address }) => ({ method: "GET", address, init: {} })),
    // A program, as one that fetches a report.
    ...pages.map(({ address }) => ({ method: "GET", address, init: {}, accept: "*/*" })),
    ...pages.map(({ address }) => ({ method: "POST", address, init: { body: new URLSearchParams("a=b") } })),
    ...Object.entries(apiBodies).map(([route, body]) => {
      const [method = "", address = ""] = route.split(" ");
      return { method, address, init: method === "GET" ? {} : { body: JSON.stringify(body) } };
    }),
  ];
  const ids = idsFor(slug);
  const answers = requests.map(async ({ method, address, init, accept = "text/html" }) => {
    const path = fillAddress(address, ids);
    const headers = { Cookie: "sessao=InF1YWxxdWVyIg%3D%3D", Accept: accept };
    const answer = await app.fetch(path, { method, headers, ...init, signal: AbortSignal.timeout(30_000) });
    const said = await answer.text();
    const isPlain =
      answer.status < 500 || (answer.status === 503 && /fora do ar|database unavailable/.test(said));
    // A page that reloads itself in place of a form loses what was typed.
    const keepsForm = method !== "POST" || !/http-equiv="refresh"|location\.replace/.test(said);
    return isPlain && keepsForm && !/ECONNREFUSED|CONNECT_|\.[jt]s:\d/.test(said)
      ? []
      : [`${method} ${address} (${accept}): ${answer.status} ${said.slice(0, 200)}`];
  });
  return (await Promise.all(answers)).flat();
}
