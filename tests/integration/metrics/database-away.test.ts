import { expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { startPostgres } from "#scripts/postgres.ts";
import { startApp } from "#tests/support/app.ts";
import { look } from "#tests/support/metrics.ts";
import { openShopAt } from "#tests/support/open-shop-at.ts";
import { until } from "#tests/support/until.ts";

test("with Postgres away both tell what they know without it, at once", { timeout: 120_000 }, async () => {
  const directory = `.cache/metrics-away-${process.pid}`;
  let database = await startPostgres(directory, { fast: true });
  const { port } = database;
  await openShopAt(database.url("postgres"));
  const [web, worker] = [await freePort(), await freePort()];
  const app = await startApp({
    databaseUrl: database.url("postgres"),
    env: { METRICS_PORT: String(web), WORKER_METRICS_PORT: String(worker) },
  });
  const up = async () => (await look(worker)).value("database_up");
  await until(async () => (await look(worker)).value("jobs_due") !== undefined);

  await database.stop();
  await until(async () => (await up()) === 0, { seconds: 30 });
  for (const at of [web, worker]) {
    const began = performance.now();
    const { value, samples } = await look(at);
    expect(performance.now() - began).toBeLessThan(9000);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(value("db_connections_max", { pool: "checkintelli" })).toBe(10);
    expect(samples.filter(({ name }) => /jobs_|charges_|mails_|report_/.test(name))).toEqual([]);
  }
  expect((await fetch(`http://127.0.0.1:${web}/healthz`)).status).toBe(200);

  database = await startPostgres(directory, { fast: true, port });
  await until(async () => (await up()) === 1, { seconds: 60 });
  expect((await look(worker)).value("jobs_due")).toBeGreaterThanOrEqual(0);
  await until(async () => (await fetch(`http://127.0.0.1:${worker}/healthz`)).status === 200, {
    seconds: 60,
  });
  await app.close();
  await database.stop();
});
