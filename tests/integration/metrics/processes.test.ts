import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { fetchMetrics, scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { order } from "#tests/support/clients/sold-through.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { longTest, oneOf } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const routes = await routeTable();
const web = await freePort();
const worker = await freePort();
let app: App;
beforeAll(async () => {
  app = await startApp({ env: { METRICS_PORT: String(web), WORKER_METRICS_PORT: String(worker) } });
});

test("web counts every request by its route, without any part of an address", async () => {
  const planted: string[] = [];
  const plant = () => {
    const word = `s${randomBytes(9).toString("hex")}`;
    planted.push(word);
    return word;
  };
  const cookie = await signedIn(await makeSeller());
  const before = (await scrapeMetrics(web)).value("http_requests_total") ?? 0;
  let requests = 0;
  for (const [nth, { address }] of [...routes, { address: "/no/such/page/:token" }].entries()) {
    const values = Object.fromEntries([...address.matchAll(/:(\w+)/g)].map(([, name]) => [name, plant()]));
    const path = `${fillAddress(address, values)}?token=${plant()}&email=${plant()}@exemplo.com.br`;
    const reads = [cookie, {}].map((headers): RequestInit => {
      return { headers: { ...headers, "User-Agent": plant() } };
    });
    const writes: RequestInit[] = [
      { method: "POST", body: new URLSearchParams({ email: plant() }) },
      { method: "PUT", body: plant() },
    ];
    const inits = [...oneOf(reads, nth), ...oneOf(writes, nth)];
    await Promise.all(inits.map(async (init) => (await app.fetch(path, init)).body?.cancel()));
    requests += inits.length;
  }
  await (await app.fetch("/favicon.svg")).arrayBuffer();
  await oddMethod("PROPFIND", `/${plant()}`);
  requests += 2;
  await until(
    async () => ((await scrapeMetrics(web)).value("http_requests_total") ?? 0) >= before + requests,
  );
  const { text, samples, value } = await scrapeMetrics(web);
  expect(planted.filter((word) => text.includes(word))).toEqual([]);
  const known = new Set([...routes.map(({ address }) => address), "file", "unknown"]);
  const reported = samples.filter(({ name }) => name.startsWith("checkintelli_http_"));
  const valuesOf = (label: string) => new Set(reported.flatMap(({ labels }) => labels[label] ?? []));
  expect([...valuesOf("route")].filter((route) => !known.has(route))).toEqual([]);
  for (const { address } of routes)
    expect(value("http_requests_total", { route: address, method: "GET" }), address).toBeGreaterThan(0);
  expect([...valuesOf("method")].sort()).toEqual(["GET", "POST", "PUT", "other"]);
  expect([...valuesOf("status")].filter((status) => !/^([2-5]\d\d|none)$/.test(status))).toEqual([]);
  expect(value("http_requests_total", { route: "file", status: "200" })).toBeGreaterThan(0);
  expect(value("http_requests_total", { route: "unknown", status: "404" })).toBeGreaterThan(0);
  expect(value("http_request_duration_seconds_count", { route: "/login", method: "GET" })).toBeGreaterThan(0);
});

test("compose checks the worker itself", async () => {
  const [, program] = /^ {8}- "(fetch\(.*)"$/m.exec(readFileSync("compose.yaml", "utf8"))!;
  // In compose a dollar is written twice.
  const command = program!.replaceAll("$$", "$");
  const isHealthy = (port: number) => {
    const env = { ...process.env, NODE_OPTIONS: "", WORKER_METRICS_PORT: String(port) } as NodeJS.ProcessEnv;
    return spawnSync(process.execPath, ["-e", command], { env }).status === 0;
  };
  expect([isHealthy(worker), isHealthy(await freePort())]).toEqual([true, false]);
});

test("scrapes are neither counted nor logged, and nothing else is served there", async () => {
  const counted = (await scrapeMetrics(web)).value("http_requests_total");
  for (const path of ["/metrics", "/healthz", "/login", "//", "/metrics/%zz"]) await fetchMetrics(web, path);
  expect((await fetchMetrics(web, "/login")).status).toBe(404);
  expect((await fetchMetrics(web, "/metrics", "POST")).status).toBe(405);
  expect((await scrapeMetrics(web)).value("http_requests_total")).toBe(counted);
  const { headers } = await fetchMetrics(web, "/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect((await fetchMetrics(web, "/healthz")).status).toBe(200);
});

test("health checks are counted by their route, and not among the responses of which the alert takes a share", async () => {
  const counts = async () => {
    const { value } = await scrapeMetrics(web);
    const checks = ["/healthz", "/readyz"].map((route) => value("http_requests_total", { route }) ?? 0);
    return { checks: checks[0]! + checks[1]!, responses: value("http_responses_total")! };
  };
  const before = await counts();
  for (const path of ["/healthz", "/readyz"]) await (await app.fetch(path)).arrayBuffer();
  await until(async () => (await counts()).checks === before.checks + 2);
  expect((await counts()).responses).toBe(before.responses);
  await (await app.fetch("/login")).arrayBuffer();
  await until(async () => (await counts()).responses === before.responses + 1);
});

test("metrics are for this machine only unless configured otherwise", async () => {
  // All of 127/8 is this machine: a server on all addresses would answer here, too.
  for (const port of [web, worker]) {
    expect((await fetchMetrics(port, "/healthz")).status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${port}/healthz`)).rejects.toThrow();
  }
  await expect(fetch(`${app.url}/metrics`).then(({ status }) => status)).resolves.toBe(404);
});

test("open event streams are counted while they are open", async () => {
  const product = await makeProduct(await makeSeller());
  const open = async () => (await scrapeMetrics(web)).value("event_streams_open");
  expect(await open()).toBe(0);
  const pages = await Promise.all(
    [1, 2, 3].map(async () => {
      const { id } = await makeSale(product);
      const gone = new AbortController();
      expect((await app.fetch(`/checkout/pix/${id}/events`, { signal: gone.signal })).status).toBe(200);
      return gone;
    }),
  );
  expect(await open()).toBe(3);
  const durations = { route: "/checkout/pix/:saleId/events", method: "GET" };
  const before = (await scrapeMetrics(web)).value("http_request_duration_seconds_count", durations);
  for (const page of pages) page.abort();
  await until(async () => (await open()) === 0);
  // The time a page stays open does not count as a duration.
  expect((await scrapeMetrics(web)).value("http_request_duration_seconds_count", durations)).toBe(before);
});

test("a payment is measured from its webhook to its booking, to its page and to its mail", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const mailed = async () =>
    (await scrapeMetrics(worker)).value("payment_notify_latency_seconds_count", { by: "mail" });
  // The mail of a free order books no payment.
  const free = await makeProduct(seller, { priceCents: 0 });
  const freeId = await order(app.url, free.id, "ana@exemplo.com.br");
  const isSent = async () =>
    (await sql`select from mails where sale_id = ${freeId} and kind = 'purchase' and status = 'sent'`)
      .length > 0;
  await until(isSent, { what: "the free order's mail" });
  expect((await mailed()) ?? 0).toBe(0);
  const product = await makeProduct(seller);
  const saleId = await order(app.url, product.id, "bia@exemplo.com.br");
  const gone = new AbortController();
  const page = await app.fetch(`/checkout/pix/${saleId}/events`, { signal: gone.signal });
  const reader = page.body!.getReader();
  await reader.read();
  const [made] = await app.sandbox.transactions();
  await app.sandbox.pay(made!.id);
  await until(async () => (await mailed()) === 1, { what: "the purchase's mail to be counted" });
  const booked = await scrapeMetrics(worker);
  expect(booked.value("payments_settled_total", { learned: "webhook" })).toBe(1);
  expect(booked.value("payment_settle_latency_seconds_count")).toBe(1);
  expect(booked.value("payment_settle_latency_seconds_sum")).toBeLessThan(90);
  await until(
    async () =>
      (await scrapeMetrics(web)).value("payment_notify_latency_seconds_count", { by: "page" }) === 1,
    {
      what: "the page to be counted",
    },
  );
  gone.abort();
  const calls = { service: "pushinpay", outcome: "ok" };
  expect((await scrapeMetrics(web)).value("outside_call_duration_seconds_count", calls)).toBeGreaterThan(0);
  expect(booked.value("outside_call_duration_seconds_count", calls)).toBeGreaterThan(0);
  expect(
    booked.value("outside_call_duration_seconds_count", { service: "resend", outcome: "ok" }),
  ).toBeGreaterThan(0);
  for (const { text } of [booked, await scrapeMetrics(web)])
    for (const secret of [seller.id, saleId, made!.id, "bia@", "exemplo.com.br", "sandbox-demo"])
      expect(text).not.toContain(secret);
});

test("each process reports its own memory, event loop and connections", async () => {
  for (const port of [web, worker]) {
    const { value } = await scrapeMetrics(port);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(value("db_connections_max", { pool: "checkintelli" })).toBe(10);
    expect(value("db_connection_requests_pending", { pool: "checkintelli" })).toBe(0);
  }
});

test("a worker reports the connections of its queue, those of each kind of runner", async () => {
  const { value } = await scrapeMetrics(worker);
  for (const pool of ["checkintelli-queue-prompt", "checkintelli-queue-patient"]) {
    expect(value("db_connections_max", { pool })).toBe(6);
    // One listens for jobs all the time.
    expect(value("db_connections_in_use", { pool })).toBeGreaterThan(0);
    expect(value("db_connection_requests_pending", { pool })).toBe(0);
  }
});

test("a worker counts rows that fail by an unexpected error, each queue from zero", async () => {
  const failed = async (work: string) => (await scrapeMetrics(worker)).value("work_failures_total", { work });
  const [before, others] = [(await failed("mails"))!, await failed("deliveries")];
  // As after the secret it was sealed with is gone.
  const [row] = await sql`
    with mail as (insert into mails (kind, recipient, idempotency_key)
      values ('access-links', 'ana@exemplo.com.br', 'access-links/sealed-otherwise') returning id)
    insert into queued_mails (id, body_sealed) select id, 'v1.a.b.00000000' from mail returning id`;
  await sql`select pg_notify('due', 'mails')`;
  await until(async () => (await failed("mails"))! > before);
  expect([others, await failed("deliveries")]).toEqual([0, 0]);
  await sql`delete from mails where id = ${row!.id}`;
});

longTest("requests waiting for a connection are counted, and those that got none", async () => {
  const saleIds = await Promise.all(
    Array.from({ length: 14 }, async () => (await makeSale(await makeProduct(await makeSeller()))).id),
  );
  const lock = await holdLock((tx) => tx`lock table sales in access exclusive mode`);
  const answers = Promise.all(saleIds.map(async (id) => (await app.fetch(`/api/sales/${id}`)).status));
  await untilLockedOut(10);
  const { value } = await until(async () => {
    const seen = await scrapeMetrics(web);
    return (seen.value("db_connection_requests_pending", { pool: "checkintelli" }) ?? 0) >= 4 ? seen : null;
  });
  expect(value("db_connections_in_use", { pool: "checkintelli" })).toBe(10);
  await answers;
  await lock.release();
  expect((await scrapeMetrics(web)).value("db_connection_requests_pending", { pool: "checkintelli" })).toBe(
    0,
  );
});

longTest("a table that nobody can read costs its own figures alone, and no time", async () => {
  await until(async () => (await scrapeMetrics(worker)).value("report_days_stale") !== undefined);
  const lock = await holdLock((tx) => tx`lock table report_marks in access exclusive mode`);
  const { value } = await until(async () => {
    const began = performance.now();
    const seen = await scrapeMetrics(worker);
    expect(performance.now() - began).toBeLessThan(10_000);
    return seen.value("report_days_stale") === undefined ? seen : null;
  });
  expect([value("database_up"), value("charges_check_overdue_seconds")]).toEqual([1, 0]);
  await lock.release();
  await until(async () => (await scrapeMetrics(worker)).value("report_days_stale") !== undefined);
});

longTest("two hundred scrapes at once are all answered, and the worker continues", async () => {
  const seen = await Promise.all(Array.from({ length: 200 }, () => scrapeMetrics(worker)));
  for (const { value } of seen) expect([value("worker_running"), value("database_up")]).toEqual([1, 1]);
});

longTest("a worker is healthy while it accepts jobs, and not once it stops", async () => {
  const health = async () => (await fetchMetrics(worker, "/healthz")).status;
  const stopWhileBusy = async () => {
    expect(await health()).toBe(200);
    // A job that cannot end yet keeps the worker running.
    const lock = await holdLock((tx) => tx`lock table charges in access exclusive mode`);
    await sql`select graphile_worker.add_job('sweep-charges', '{}'::json)`;
    await untilLockedOut();
    const stopped = app.worker[0]!.stop();
    const seen = await until(async () => (await health()) === 503, { every: 5, seconds: 15 })
      .then(() => scrapeMetrics(worker))
      .catch((error: Error) => error);
    await lock.release();
    expect(await stopped).toBe(0);
    await expect(health()).rejects.toThrow();
    await app.worker[0]!.start();
    expect(await health()).toBe(200);
    return seen instanceof Error ? null : seen;
  };
  // On a slow machine the job may have given up its wait, and the worker ended, before it was asked.
  const { value } = await until(stopWhileBusy);
  expect(value("worker_running")).toBe(0);
});

/** A method that `fetch` would not send. */
function oddMethod(method: string, path: string): Promise<void> {
  const { hostname, port } = new URL(app.url);
  return new Promise((done, fail) => {
    const asking = request({ hostname, port, path, method }, (answer) => answer.resume().on("end", done));
    asking.on("error", fail).end();
  });
}
