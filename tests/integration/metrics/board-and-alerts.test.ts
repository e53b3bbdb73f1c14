import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const [web, worker] = [await freePort(), await freePort()];
// A replica has metrics of its own, also while it refuses.
const replica = { DATABASE_REPLICA_URL: "postgres://nobody@127.0.0.1:1/none" };
await startApp({ env: { METRICS_PORT: String(web), WORKER_METRICS_PORT: String(worker), ...replica } });
await until(async () => (await scrapeMetrics(worker)).value("report_days_stale") !== undefined);

/** Every metric that web or worker prints, as Prometheus stores it. */
const metricNames = new Set<string>();
for (const port of [web, worker])
  for (const [name, type] of (await scrapeMetrics(port)).types) {
    if (type !== "histogram") metricNames.add(name);
    else for (const part of ["_bucket", "_count", "_sum"]) metricNames.add(name + part);
  }

/** Rules by their group; those of the group `machine` use node_exporter. */
const groups = readFileSync("ops/prometheus/alerts.yml", "utf8")
  .split(/^ {2}- name: /m)
  .slice(1);
const ours = groups.filter((group) => !group.startsWith("machine\n"));
const board = readFileSync("ops/grafana/checkintelli.json", "utf8");

const namesIn = (text: string) => [...new Set(text.match(/\bcheckintelli_\w+/g))];

test("every metric that the alerts name exists", () => {
  expect(ours.length).toBe(groups.length - 1);
  const named = ours.flatMap(namesIn);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !metricNames.has(name))).toEqual([]);
  for (const rule of ours.flatMap((group) => group.split("- alert: ").slice(1)))
    expect(rule).toMatch(/\b(checkintelli_\w+|up\{)/);
});

test("every metric that the board names exists, and each of its questions names one", () => {
  const { panels } = JSON.parse(board) as { panels: { title: string; targets?: { expr: string }[] }[] };
  const questions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(questions.length).toBeGreaterThan(30);
  expect(questions.filter((question) => namesIn(question).length === 0)).toEqual([]);
  expect(namesIn(board).filter((name) => !metricNames.has(name))).toEqual([]);
});

test("every metric of ours is explained", () => {
  const docs = readFileSync("docs/operations.md", "utf8");
  const families = [...metricNames]
    .map((name) => name.replace(/^checkintelli_|_(bucket|count|sum)$/g, ""))
    .filter((name) => !/^(process|nodejs)_/.test(name));
  expect([...new Set(families)].filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

/** In the initial state: no request but for the metrics. */
const atStart = [await scrapeMetrics(web), await scrapeMetrics(worker)].flatMap(({ samples }) => samples);

test("every series that a rule counts is there from the start", () => {
  const counted = ours.join("\n").matchAll(/(?:increase|rate)\((checkintelli_\w+_total)(?:\{([^}]*)\})?\[/g);
  let found = 0;
  for (const [, name, matchers = ""] of counted) {
    const series = atStart.filter((one) => one.name === name);
    expect(series.length, name).toBeGreaterThan(0);
    for (const [, label, is, values] of matchers.matchAll(/(\w+)(=~|!=|=)"([^"]+)"/g))
      for (const value of is === "!=" ? [] : values!.split("|")) {
        expect(
          series.map(({ labels }) => labels[label!]),
          name,
        ).toContain(value);
        found++;
      }
  }
  expect(found).toBeGreaterThan(5);
});

test("every service that is called is counted from the start", () => {
  const files = globSync("app/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const named = files.flatMap((text) =>
    [...text.matchAll(/(?:\bservice: |measureCall\()"(\w+)"/g)].map(([, name]) => name!),
  );
  expect(named.length).toBeGreaterThan(8);
  const calls = atStart.filter(({ name }) => name === "checkintelli_outside_calls_total");
  // The bucket's signature has a field of this name.
  const counted = ["s3", ...calls.map(({ labels }) => labels.service)];
  expect(named.filter((name) => !counted.includes(name))).toEqual([]);
});

test("labels that the rules use exist", async () => {
  const samples = (await Promise.all([scrapeMetrics(web), scrapeMetrics(worker)])).flatMap(
    (seen) => seen.samples,
  );
  const labelsOf = (name: string) =>
    new Set(
      samples
        .filter((one) => one.name === name || one.name === name.replace(/_(bucket|count|sum)$/, ""))
        .flatMap((one) => Object.entries(one.labels).map(([key, value]) => `${key}=${value}`)),
    );
  // Of gauges; counters have a test of their own.
  const used = ours.join("\n").matchAll(/(checkintelli_(?:charges|mails|jobs)_\w+)\{(\w+)=~?"([^"]+)"\}/g);
  let found = 0;
  for (const [, name, label, values] of used)
    for (const value of values!.split("|")) {
      expect(labelsOf(name!), name).toContain(`${label}=${value}`);
      found++;
    }
  expect(found).toBeGreaterThan(5);
});

test("every statement that the runbook gives runs on a shop's database", async () => {
  const docs = readFileSync("docs/operations.md", "utf8");
  const blocks = [...docs.matchAll(/^```sql\n([^`]+)^```$/gm)].map(([, block]) => block!);
  const inline = [...docs.matchAll(/`(select [^`]+)`/g)].map(([, statement]) => statement!);
  expect([blocks.length, inline.length]).toEqual([5, expect.any(Number)]);
  expect(inline.length).toBeGreaterThan(6);
  for (const statement of [...blocks, ...inline]) {
    const filled = statement.replaceAll("<id>", crypto.randomUUID()).replace(/<(ids|number)>/g, "1");
    const undo = new Error("undone");
    await sql
      .begin(async (tx) => {
        await tx.unsafe(filled);
        throw undo;
      })
      .catch((error) => {
        if (error !== undo) throw new Error(`${error.message}: ${statement}`);
      });
  }
});
