import { expect, test } from "vitest";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import {
  listMailLog,
  type MailLogFilter,
  readMailLogStatus,
} from "#app/domain/reports/list-mail-log.server.ts";
import type { SaleCursor } from "#app/domain/reports/sales-filter.ts";
import * as deliveries from "#app/routes/api/email/delivery-logs.ts";
import * as products from "#app/routes/api/products/products.ts";
import * as chart from "#app/routes/api/reports/chart.ts";
import * as list from "#app/routes/api/reports/sales.ts";
import * as stats from "#app/routes/api/reports/stats.ts";
import { loadMails } from "#app/routes/seller/reports/mails.server.ts";
import { loadSales } from "#app/routes/seller/reports/sales.server.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call, refused } from "#tests/support/routes/call.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";

async function makeShop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  return { seller, product, headers: await signedIn(seller) };
}

test("the figures of a period, in reais", async () => {
  const { product, headers } = await makeShop();
  await makeSale(product, { status: "completed", amountCents: 1990, customerEmail: "a@exemplo.com.br" });
  await makeSale(product, { status: "completed", amountCents: 5, customerEmail: "a@exemplo.com.br" });
  await makeSale(product, { status: "refunded", completedAt: new Date() });
  expect(await (await call(stats, "/api?range=30d", { headers })).json()).toEqual({
    total_sales: 2,
    total_revenue: 19.95,
    net_revenue: 19.95,
    fees: 0,
    sales_without_fee: 2,
    total_customers: 1,
    conversion_rate: 66.7,
  });
});

test("the chart has a point a day, and a week in a year", async () => {
  const { product, headers } = await makeShop();
  await makeSale(product, { status: "completed", amountCents: 1990 });
  const points = async (range: string) => (await call(chart, `/api?range=${range}`, { headers })).json();
  expect(await points("7d")).toHaveLength(7);
  expect(await points("90d")).toHaveLength(90);
  const weeks = await points("1y");
  expect(weeks).toHaveLength(52);
  expect(weeks.at(-1)).toMatchObject({ sales: 1, revenue: 19.9, previous_sales: 0, previous_revenue: 0 });
});

test("the list names its next page in a header", async () => {
  const { product, headers } = await makeShop();
  for (let n = 0; n < 3; n++) await makeSale(product);
  const first = await call(list, "/api/reports/sales?range=7d&limit=2", { headers });
  expect(await first.json()).toHaveLength(2);
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link")!)![1]!;
  const second = await call(list, next, { headers });
  expect(await second.json()).toHaveLength(1);
  expect(second.headers.get("link")).toMatch(/^<[^>]+after=[^>]+>; rel="prev"$/);
});

test("a search that is longer than it may be is refused: cut, it would find what was not searched for", async () => {
  const { headers } = await makeShop();
  for (const route of [list, products]) {
    const search = (length: number) => call(route, `/api?search=${"a".repeat(length)}`, { headers });
    expect((await search(100)).status).toBe(200);
    const long = await search(101);
    expect([long.status, await long.json()]).toEqual([
      400,
      refused("search: até 100 caracteres", { field: "search" }),
    ]);
  }
});

test("the delivery log covers all time unless a range is given, and mails with the purchase", async () => {
  const { product, headers } = await makeShop();
  const sale = await makeSale(product);
  const old = await writeMail(sale, { createdAt: new Date(Date.now() - 400 * 86_400_000), status: "sent" });
  const young = await writeMail(sale, { kind: "access", status: "failed" });
  await writeMail(sale, { kind: "new-sale" });
  const ids = async (query: string) =>
    (await (await call(deliveries, `/api${query}`, { headers })).json()).map(
      (mail: { id: string }) => mail.id,
    );
  expect(await ids("")).toEqual([young.id, old.id]);
  // As elsewhere, an empty parameter is as good as none.
  expect(await ids("?range=")).toEqual([young.id, old.id]);
  expect(await ids("?range=1y")).toEqual([young.id]);
  expect(await ids("?status=sent")).toEqual([old.id]);
  expect(await ids("?status=attempting")).toEqual([]);
  const first = await call(deliveries, "/api?limit=1", { headers });
  expect(first.headers.get("link")).toContain("before=");
});

test("pages of the delivery log go there and back without losing mails of the same millisecond", async () => {
  const { seller, product } = await makeShop();
  const sale = await makeSale(product);
  const createdAt = new Date(Date.now() - 5000);
  for (let n = 0; n < 5; n++) await writeMail(sale, { createdAt, status: "sent" });
  const list = (cursors: { before?: SaleCursor | null; after?: SaleCursor | null }) =>
    listMailLog(seller.id, { period: null, status: "all" }, { limit: 2, ...cursors });
  const idsOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ id }) => id);
  const first = await list({});
  const second = await list({ before: first.older });
  const third = await list({ before: second.older });
  const seen = [first, second, third].flatMap(idsOf);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect([seen.length, first.newer, third.older]).toEqual([5, null, null]);
  const back = await list({ after: third.newer });
  expect(idsOf(back)).toEqual(idsOf(second));
  expect((await list({ after: back.newer })).newer).toBeNull();
});

test("the delivery log has the mails of its period and of its state; one that may be sent again has failed all the same", async () => {
  const { seller, product } = await makeShop();
  const sale = await makeSale(product);
  const period = periodOf("7d", new Date());
  await writeMail(sale, { status: "sent", createdAt: period.to });
  await writeMail(sale, { status: "sent", createdAt: new Date(period.from.getTime() - 1) });
  const sent = await writeMail(sale, { status: "sent", createdAt: period.from });
  const waiting = await writeMail(sale, { createdAt: new Date(period.from.getTime() + 1) });
  const failed = await writeMail(sale, { status: "failed", createdAt: new Date(period.from.getTime() + 2) });
  await sql`insert into queued_mails (id, seller_id, scheduled_at, data)
    values (${failed.id}, ${seller.id}, null, '{}')`;
  const ids = async (status: MailLogFilter["status"]) =>
    (await listMailLog(seller.id, { period, status }, { limit: 9 })).items.map(({ id }) => id);
  expect(await ids("all")).toEqual([failed.id, waiting.id, sent.id]);
  expect([await ids("sent"), await ids("attempting"), await ids("failed")]).toEqual([
    [sent.id],
    [waiting.id],
    [failed.id],
  ]);
  expect(["failed", "lost", null].map(readMailLogStatus)).toEqual(["failed", "all", "all"]);
});

test("the cards of the deliveries count mails and attempts of the period", async () => {
  const { seller, product } = await makeShop();
  const sale = await makeSale(product);
  await writeMail(sale, { status: "sent", attempts: 2 });
  await writeMail(sale, { status: "sent", attempts: 1 });
  await writeMail(sale, { status: "failed", attempts: 5 });
  await writeMail(sale, { status: "attempting", attempts: 0 });
  await writeMail(sale, { status: "sent", attempts: 9, createdAt: new Date(Date.now() - 40 * 86_400_000) });
  const { totals } = await loadMails(seller.id, new URLSearchParams("tab=emails"));
  expect(totals).toEqual({ sent: 2, failed: 1, rate: 50, attempts: 9 });
});

test("another seller's sales and mails are in no figure", async () => {
  const { product } = await makeShop();
  await writeMail(await makeSale(product, { status: "completed" }));
  const headers = await signedIn(await makeSeller());
  expect(await (await call(stats, "/api?range=1y", { headers })).json()).toMatchObject({
    total_sales: 0,
    total_revenue: 0,
    total_customers: 0,
  });
  expect(await (await call(deliveries, "/api", { headers })).json()).toEqual([]);
  const points = await (await call(chart, "/api?range=7d", { headers })).json();
  expect(points.every((point: { sales: number }) => point.sales === 0)).toBe(true);
});

test("the page of a period takes as many statements with a hundred sales as with none", async () => {
  const { seller, product } = await makeShop();
  const statements = () => countStatements(() => loadSales(seller.id, new URLSearchParams("range=30d")));
  await makeSale(product, { status: "completed" });
  const { count } = await statements();
  for (let n = 0; n < 30; n++) await makeSale(product, { status: "completed" });
  expect((await statements()).count).toBe(count);
  expect(count).toBeLessThanOrEqual(10);
});

test("a period that there is none of is refused, by each report", async () => {
  const { headers } = await makeShop();
  for (const report of [stats, chart, list, deliveries]) {
    const answer = await call(report, "/api?range=5d", { headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "range: use 7d, 30d, 90d ou 1y", field: "range" });
    expect((await call(report, "/api?range=", { headers })).status).toBe(200);
  }
});

test.each([
  [list, ["status=canceled", "method=boleto", "product=abc", "coupon=1", "offer=x"]],
  [deliveries, ["status=delivered"]],
])("an unknown value of a filter is refused, as an unknown range is: %#", async (route, queries) => {
  const { headers } = await makeShop();
  for (const query of ["range=9d", "before=x", "after=1800000000000_", ...queries]) {
    const answer = await call(route, `/api?${query}`, { headers });
    const [field] = query.split("=");
    expect([query, answer.status, (await answer.json()).field]).toEqual([query, 400, field]);
  }
  for (const query of ["", "status=", "limit=x", "before="])
    expect((await call(route, `/api?${query}`, { headers })).status, query).toBe(200);
});

test("a status has the name the spec gives it, and an id may be nobody's", async () => {
  const { product, headers } = await makeShop();
  await makeSale(product, { status: "completed" });
  const count = async (query: string) =>
    (await (await call(list, `/api?${query}`, { headers })).json()).length;
  expect(await count(`status=paid&method=pix&product=${product.id}`)).toBe(1);
  expect(await count("coupon=00000000-0000-4000-8000-000000000000")).toBe(0);
});
