import { afterAll, expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { pauseReplay, startReplicated } from "#tests/integration/replica/start-replica.ts";
import { startApp } from "#tests/support/app.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const servers = await startReplicated("screens");
afterAll(servers.close);
process.env.DATABASE_URL = servers.url;
const { makeProduct, makeSale, makeSeller, signedIn } = await import("#tests/support/make.ts");
const { onReplica } = servers;

/** A shop with two sales, of which the replica knows one and replays nothing more. Its last commit looks older. */
async function makeShop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { name: "Curso de Violão" });
  const sale = { status: "completed" as const, amountCents: 1000 };
  await makeSale(product, sale);
  const headers = await signedIn(seller);
  await pauseReplay(servers);
  await makeSale(product, sale);
  return { seller, headers };
}

const shop = await makeShop();
const [web, worker] = [await freePort(), await freePort()];
const app = await startApp({
  databaseUrl: servers.url,
  env: {
    DATABASE_REPLICA_URL: servers.replicaUrl(5),
    METRICS_PORT: String(web),
    WORKER_METRICS_PORT: String(worker),
  },
});
/** On a machine that stands still a check may come too late: then the primary answers for some seconds. */
const untilDated = <T>(read: () => Promise<T | null>) => until(read, { what: "an answer from the replica" });
const open = (path: string, more: Record<string, string> = {}) =>
  app.fetch(path, { headers: { ...shop.headers, ...more } });

test.each([
  ["/reports", "R$ 10,00"],
  ["/reports?tab=funnel", "Dados"],
  ["/reports?tab=emails", "Dados"],
  ["/reports?tab=refunds", "Dados"],
  ["/reports/conciliacao", "Dados"],
])("%s is read from the replica and states the age of its data", async (path, content) => {
  const page = await untilDated(async () => {
    const text = await (await open(path)).text();
    return /Dados de \d+ minutos atrás\. O que aconteceu/.test(text) ? text : null;
  });
  expect(page.replaceAll("\u00a0", " ")).toContain(content);
});

test.each(["stats?range=30d", "chart?range=30d", "funnel?range=30d", "reconciliation"])(
  "/api/reports/%s states the age of its figures in a header",
  async (path) => {
    const age = await untilDated(async () => {
      const answer = await open(`/api/reports/${path}`);
      expect(answer.status).toBe(200);
      return answer.headers.get("data-age");
    });
    expect(Number(age)).toBeGreaterThanOrEqual(300);
  },
);

test("the API's lists, the dashboard and its figures are those of the primary", async () => {
  const list = await open("/api/reports/sales?range=30d");
  expect([list.headers.get("data-age"), (await list.json()).length]).toEqual([null, 2]);
  const stats = await open("/api/dashboard/stats");
  expect((await stats.json()).today).toEqual({ count: 2, total: 20 });
  expect((await (await open("/dashboard")).text()).replaceAll("\u00a0", " ")).toContain("R$ 20,00");
});

test("a file of sales states the time of its data in its name, and a closed account's file inside", async () => {
  const csv = await untilDated(async () => {
    const file = await open("/reports/export?range=30d");
    const text = await file.text();
    const name = /filename="relatorio_vendas_\d{4}-\d\d-\d\d_dados_das_\d\dh\d\d\.csv"/;
    return name.test(file.headers.get("content-disposition") ?? "") ? text : null;
  });
  expect(csv.trim().split("\r\n")).toHaveLength(2);
  const account = await untilDated(async () => {
    const file = await (await open("/settings/close/dados.json")).json();
    return file.dados_de ? file : null;
  });
  expect(account.vendas).toHaveLength(1);
  expect(Date.parse(account.gerado_em) - Date.parse(account.dados_de)).toBeGreaterThanOrEqual(300_000);
});

test("what a browser changed itself it sees at once, from the primary and without a notice", async () => {
  const posted = await app.fetch("/reports?tab=emails", {
    method: "POST",
    headers: { ...shop.headers, Origin: app.url },
    body: new URLSearchParams({ intent: `resend ${crypto.randomUUID()}` }),
  });
  const [changed] = posted.headers.getSetCookie().filter((cookie) => cookie.startsWith("alterado="));
  expect(changed).toMatch(/^alterado=\d+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/);
  const Cookie = `${new Headers(shop.headers).get("cookie")}; ${changed!.split(";")[0]}`;
  const page = await (await open("/reports", { Cookie })).text();
  expect(page).not.toContain("O que aconteceu depois");
  expect(page.replaceAll("\u00a0", " ")).toContain("R$ 20,00");
});

test("metrics tell the lag of a replica, and what waits from the primary as long as the replica lags", async () => {
  const { value } = await until(async () => {
    const seen = await scrapeMetrics(worker);
    return seen.value("replica_up") === 1 ? seen : null;
  });
  expect(value("replica_lag_seconds")).toBeGreaterThanOrEqual(300);
  expect(value("report_days_stale")).toBeDefined();
  expect(value("db_connections_max", { pool: "checkintelli-replica" })).toBe(4);
  // The replica itself has seen no statement of theirs.
  expect(
    await onReplica`select from pg_stat_activity where application_name = 'checkintelli-replica-metrics'`,
  ).toHaveLength(0);
});

longTest("once it has caught up nothing is stated, and metrics are read from it", async () => {
  await onReplica`select pg_wal_replay_resume()`;
  await until(async () => {
    const page = await (await open("/reports")).text();
    return !page.includes("O que aconteceu depois") && page.replaceAll("\u00a0", " ").includes("R$ 20,00");
  });
  expect((await open("/reports/export?range=30d")).headers.get("content-disposition")).toMatch(
    /-\d\d\.csv"$/,
  );
  await until(async () => {
    await scrapeMetrics(worker);
    return (
      (await onReplica`select from pg_stat_activity where application_name = 'checkintelli-replica-metrics'`)
        .length > 0
    );
  });
});

test("every statement of reports, files and metrics runs on a replica", async () => {
  const lines = app.log().filter(({ msg }) => msg === "read from the primary instead of the replica");
  // A connection that was closed because a check came too late says nothing of its statement.
  expect(lines.filter(({ code }) => code !== "CONNECTION_CLOSED" && code !== "REPLICA_AWAY")).toEqual([]);
});
