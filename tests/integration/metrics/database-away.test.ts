import { spawn } from "node:child_process";
import { expect } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { startPostgres } from "#scripts/postgres.ts";
import { PROGRAMS } from "#scripts/program.ts";
import { openShopAt } from "#tests/integration/harness/open-shop-at.ts";
import { fetchMetrics, scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { startApp } from "#tests/support/app.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

longTest("with Postgres away both tell what they know without it, at once", async () => {
  const directory = `.cache/metrics-away-${process.pid}`;
  let database = await startPostgres(directory, { fast: true });
  const { port } = database;
  await openShopAt(database.url("postgres"));
  const [web, worker] = [await freePort(), await freePort()];
  const app = await startApp({
    databaseUrl: database.url("postgres"),
    env: { METRICS_PORT: String(web), WORKER_METRICS_PORT: String(worker) },
  });
  const up = async () => (await scrapeMetrics(worker)).value("database_up");
  await until(async () => (await scrapeMetrics(worker)).value("jobs_pending") !== undefined);

  await database.stop();
  await until(async () => (await up()) === 0);
  for (const at of [web, worker]) {
    const began = performance.now();
    const { value, samples } = await scrapeMetrics(at);
    expect(performance.now() - began).toBeLessThan(9000);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(value("db_connections_max", { pool: "checkintelli" })).toBe(10);
    expect(samples.filter(({ name }) => /jobs_|charges_|mails_|report_/.test(name))).toEqual([]);
  }
  expect((await fetchMetrics(web, "/healthz")).status).toBe(200);

  // It logs that the database is away, and no more for a minute; neither statements nor stack traces.
  const linesOf = (msg: RegExp) => app.worker[0]!.log().filter((line) => msg.test(String(line.msg)));
  await until(() => linesOf(/^database away$/).length === 1);
  expect(linesOf(/work not claimed|cannot listen|not measured|starting again/)).toEqual([]);
  for (const line of linesOf(/^database (still )?away$/)) {
    expect(Object.keys(line)).not.toContain("err");
    expect(JSON.stringify(line).length).toBeLessThan(300);
  }

  database = await startPostgres(directory, { fast: true, port });
  await until(async () => (await up()) === 1);
  expect((await scrapeMetrics(worker)).value("jobs_pending")).toBeGreaterThanOrEqual(0);
  await until(async () => (await fetchMetrics(worker, "/healthz")).status === 200);
  await until(() => linesOf(/^database is back$/).length === 1);
  await app.close();
  await database.stop();
});

longTest.each(["web", "worker", "migrate"] as const)(
  "a wrong password ends %s with a sentence",
  async (name) => {
    const { PATH = "", HOME = "" } = process.env;
    const address = new URL(process.env.DATABASE_URL!);
    address.password = "errada";
    // Without its log, which also says that the database is away: a web listens to it from the start.
    const ofWeb = { NODE_ENV: "production", PORT: String(await freePort()), LOG_LEVEL: "silent" };
    const env = {
      ...{ PATH, HOME, NODE_ENV: "test", DATABASE_URL: address.href, APP_SECRET: "x".repeat(40) },
      ...(name === "web" ? ofWeb : {}),
    } as NodeJS.ProcessEnv;
    const args = name === "migrate" ? ["scripts/migrate.ts"] : PROGRAMS[name];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code, output).toBe(1);
    expect(output.trim()).toBe("O PostgreSQL recusou a senha de DATABASE_URL (ou de PGPASSWORD).");
  },
);
