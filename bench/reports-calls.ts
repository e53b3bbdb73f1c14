import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { desc, eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { dashboardFigures } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { periodBefore, periodOf, type Range } from "#app/domain/reports/figures/period.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { readFirstSteps } from "#app/domain/reports/first-steps.server.ts";
import type { FunnelFilter } from "#app/domain/reports/funnel/funnel-filter.ts";
import { readFunnel } from "#app/domain/reports/funnel/read-funnel.server.ts";
import { listMailLog } from "#app/domain/reports/list-mail-log.server.ts";
import { listNewestSales } from "#app/domain/reports/list-newest-sales.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import type { SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";

/** Run by bench/reports.ts in its own process, on a database that bench/reports-data.ts filled. */
const TIMES = 40;
/** Target p95 for each call, in milliseconds. */
const AIM = 50;
/** On a slow or busy machine the target is this many times the time for summing 100,000 numbers there. */
const MAX_RATIO = 4;
/** Sales since `refresh-reports` last ran: their days and buyers are counted from the sales. */
const MINUTE_OF_SALES = 30;

/** Bypasses the app, for statements that the app never sends. */
const admin = postgres(process.env.DATABASE_URL!, { max: 4, onnotice: () => {} });
const now = new Date();
type Shop = { id: string; name: string; lastSale: string; product: number };
const failures: string[] = [];

const started = performance.now();
await refreshReports.handle({}, { number: 1, last: false });
console.log(`counting every day of every shop for the first time: ${seconds(started)}`);
await admin.unsafe(
  "vacuum analyze report_days, report_buyers, report_marks, funnel_orders, funnel_views, funnel_marks",
);

for (const shop of [await findShop("loja1", "big"), await findShop("loja2", "small")]) {
  for (const [name, call] of calls(shop)) await measure(shop, `${shop.name} shop: ${name}`, call);
}
await export1y(await findShop("loja1", "big"));
await compareSettlements((await findShop("loja1", "big")).id);
if (failures.length > 0) console.error(failures.join("\n"));
process.exit(failures.length > 0 ? 1 : 0);

async function findShop(address: string, name: string): Promise<Shop> {
  const [seller] = await admin<
    { id: string }[]
  >`select id from sellers where email = ${`${address}@exemplo.com.br`}`;
  const [last] = await db
    .select({ id: sales.id })
    .from(sales)
    .where(eq(sales.sellerId, seller!.id))
    .orderBy(desc(sales.createdAt))
    .limit(1);
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(eq(products.sellerId, seller!.id))
    .limit(1);
  return { id: seller!.id, name, lastSale: last!.id, product: product!.id };
}

function calls(shop: Shop): [string, () => Promise<unknown>][] {
  const period = (range: Range) => periodOf(range, now);
  const filter = (fields: Partial<SalesFilter>): SalesFilter => ({
    period: period("1y"),
    status: "all",
    productId: null,
    method: null,
    couponId: null,
    offerId: null,
    search: "",
    ...fields,
  });
  const funnel = (fields: Partial<FunnelFilter>): FunnelFilter => ({
    period: period("1y"),
    productId: null,
    campaign: null,
    device: null,
    couponId: null,
    offerId: null,
    ...fields,
  });
  const list = (fields: Partial<SalesFilter>) => () => listSales(shop.id, filter(fields), { limit: 25 });
  const both = (range: Range) => ({ first: periodBefore(period(range)).first, last: period(range).last });
  const lastPage = { createdAt: new Date(period("1y").from.getTime() + 86_400_000), id: randomUUID() };
  return [
    ["dashboard: figures and line", () => dashboardFigures(shop.id, now)],
    ["dashboard: newest sales", () => listNewestSales(shop.id, 6)],
    ["dashboard: first steps", () => readFirstSteps(shop.id)],
    ...(["7d", "30d", "90d", "1y"] as const).flatMap((range): [string, () => Promise<unknown>][] => [
      [
        `stats ${range}`,
        async () => showStats(shop.id, period(range), await readDays(shop.id, period(range))),
      ],
      [`chart ${range}`, async () => chartPoints(period(range), await readDays(shop.id, both(range)))],
      [`sales ${range}`, list({ period: period(range) })],
    ]),
    ["by product 1y", () => readBreakdown(shop.id, "product", period("1y"))],
    ["by campaign 1y", () => readBreakdown(shop.id, "campaign", period("1y"))],
    ["by method 1y", () => readBreakdown(shop.id, "method", period("1y"))],
    ["sales 1y, last page", () => listSales(shop.id, filter({}), { limit: 25, before: lastPage })],
    ["sales 1y, completed", list({ status: "completed" })],
    ["sales 1y, charged back", list({ status: "chargedback" })],
    ["sales 1y, one product", list({ productId: shop.product })],
    ["sales 1y, product and failed", list({ productId: shop.product, status: "failed" })],
    ["search: the most frequent name", list({ search: "maria" })],
    ["search: a frequent name", list({ search: "maria silva" })],
    ["search: the same, of failed sales", list({ search: "maria silva", status: "failed" })],
    ["search: rare name", list({ search: "krzyz" })],
    ["search: nobody", list({ search: "inexistente" })],
    ["search: e-mail", list({ search: "pessoa4242@" })],
    ["search: sale id", list({ search: shop.lastSale })],
    ["search: first eight of an id", list({ search: shop.lastSale.slice(0, 8) })],
    ["search: transaction", list({ search: "c4ca4238-a0b9-2382-0dcc-509a6f75849b" })],
    ["mails 1y", () => listMailLog(shop.id, { period: period("1y"), status: "all" }, { limit: 25 })],
    [
      "mails 1y, failed",
      () => listMailLog(shop.id, { period: period("1y"), status: "failed" }, { limit: 25 }),
    ],
    [
      "mails 1y, attempting",
      () => listMailLog(shop.id, { period: period("1y"), status: "attempting" }, { limit: 25 }),
    ],
    ...(["7d", "30d", "90d", "1y"] as const).map((range): [string, () => Promise<unknown>] => [
      `funnel ${range}`,
      () => readFunnel(shop.id, funnel({ period: period(range) })),
    ]),
    ["funnel 1y, one product", () => readFunnel(shop.id, funnel({ productId: shop.product }))],
    ["funnel 1y, one campaign", () => readFunnel(shop.id, funnel({ campaign: ["facebook", "campanha-0"] }))],
    ["funnel 1y, one device", () => readFunnel(shop.id, funnel({ device: "phone" }))],
    ["details of a sale", () => showSale(shop.id, shop.lastSale)],
  ];
}

/** Times a call while today's sales are marked, as in a shop that sells, and checks its plans. */
async function measure(shop: Shop, name: string, call: () => Promise<unknown>): Promise<void> {
  await admin`
    insert into report_marks (seller_id, day, email)
    select seller_id, (completed_at at time zone 'America/Sao_Paulo')::date, customer_email from sales
    where seller_id = ${shop.id} and completed_at is not null order by completed_at desc limit ${MINUTE_OF_SALES}`;
  await admin`
    insert into funnel_marks (seller_id, day)
    select seller_id, (created_at at time zone 'America/Sao_Paulo')::date from sales
    where seller_id = ${shop.id} and completed_at is not null order by completed_at desc limit ${MINUTE_OF_SALES}`;
  const plans = await explain(call);
  const { p50, p95 } = await time(call);
  const baseline = await time(() => admin`select sum(n) from generate_series(1, 100000) n`);
  await admin`delete from report_marks`;
  await admin`delete from funnel_marks`;
  console.log(
    `${name.padEnd(48)} p50 ${p50.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms (${(p95 / baseline.p95).toFixed(1)} × baseline)   ${plans.join(", ")}`,
  );
  if (p95 > AIM && p95 > MAX_RATIO * baseline.p95)
    failures.push(
      `${name}: p95 ${p95.toFixed(1)} ms (baseline ${baseline.p95.toFixed(1)} ms), aim ${AIM} ms`,
    );
  if (plans.some((plan) => /Seq Scan on sales\b/.test(plan))) failures.push(`${name}: reads all sales`);
}

async function time(call: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(TIMES * 0.5)]!, p95: times[Math.ceil(TIMES * 0.95) - 1]! };
}

/** The scans in a call's plans, from auto_explain's output in the server's log. */
async function explain(call: () => Promise<unknown>): Promise<string[]> {
  const log = process.env.POSTGRES_LOG!;
  const before = readFileSync(log, "utf8").length;
  await admin.unsafe("alter system set auto_explain.log_min_duration = 0");
  await admin.unsafe("select pg_reload_conf()");
  await new Promise((done) => setTimeout(done, 150));
  await call();
  await admin.unsafe("alter system reset auto_explain.log_min_duration");
  await admin.unsafe("select pg_reload_conf()");
  await new Promise((done) => setTimeout(done, 150));
  const text = readFileSync(log, "utf8").slice(before);
  const scans = [
    ...text.matchAll(
      /(Seq Scan|Index Only Scan|Index Scan|Bitmap Index Scan)(?: Backward)?(?: using (\w+))? on (\w+)/g,
    ),
  ].map(([, kind, index, on]) => (kind === "Seq Scan" ? `Seq Scan on ${on}` : (index ?? on)!));
  return [...new Set(scans)].filter((scan) => !/^(pg_|sellers)/.test(scan));
}

async function export1y(shop: Shop): Promise<void> {
  const start = performance.now();
  let bytes = 0;
  let peak = 0;
  const filter: SalesFilter = {
    period: periodOf("1y", now),
    status: "all",
    productId: null,
    method: null,
    couponId: null,
    offerId: null,
    search: "",
  };
  for await (const piece of streamCsv(shop.id, filter)) {
    bytes += Buffer.byteLength(piece);
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  console.log(
    `CSV of a year: ${(bytes / 1e6).toFixed(1)} MB in ${seconds(start)}, heap at most ${(peak / 1e6).toFixed(0)} MB`,
  );
}

/** Settles eight payments at a time for one busy shop, alternately with and without the marks. */
async function compareSettlements(sellerId: string): Promise<void> {
  const waiting = await db.execute<{ id: string; amount: number; provider: string }>(sql`
    select c.id, c.amount_cents as amount, c.provider_id as provider from charges c join sales s on s.id = c.sale_id
    where s.seller_id = ${sellerId} and s.status = 'pending' order by s.created_at desc limit 3200`);
  await admin`update charges set status = 'open' where id = any(${waiting.map((c) => c.id)}::uuid[])`;
  const spent = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < 8; round++) {
    const kind = round % 2 === 0 ? "with" : "without";
    await admin.unsafe(`alter table sales ${kind === "with" ? "enable" : "disable"} trigger mark_sale`);
    await admin.unsafe(`alter table sales ${kind === "with" ? "enable" : "disable"} trigger mark_funnel`);
    await admin.unsafe(`alter table mails ${kind === "with" ? "enable" : "disable"} trigger mark_new_mail`);
    const batch = waiting.slice(round * 400, (round + 1) * 400);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = batch.pop(); next; next = batch.pop()) {
          const start = performance.now();
          await settleCharge(next.id, {
            providerId: next.provider,
            state: "paid",
            providerStatus: "paid",
            amountCents: next.amount,
            feeCents: null,
            refundedCents: null,
            webhookUrl: null,
          });
          spent[kind].push(performance.now() - start);
        }
      }),
    );
  }
  await admin.unsafe("alter table sales enable trigger mark_sale");
  await admin.unsafe("alter table sales enable trigger mark_funnel");
  await admin.unsafe("alter table mails enable trigger mark_new_mail");
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  const [marked, bare] = [median(spent.with), median(spent.without)];
  console.log(
    `settling, 8 at a time in one shop: p50 ${marked.toFixed(2)} ms with marks, ${bare.toFixed(2)} ms without (${(marked / bare).toFixed(2)}×)`,
  );
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
