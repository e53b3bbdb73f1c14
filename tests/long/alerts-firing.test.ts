import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { CALM, prefixed, TROUBLES, type Trouble, valueAt } from "#tests/long/alert-states.ts";
import { until } from "#tests/support/until.ts";

/** Without it (`apt-get install prometheus`) nothing is tested here, and the run reports the tests as skipped. */
const hasPrometheus = spawnSync("prometheus", ["--version"]).status === 0;

/** The product's rules, with seconds in place of the minutes for which a state has to last. */
const RULES = readFileSync("ops/prometheus/alerts.yml", "utf8").replace(/\bfor: \w+/g, "for: 2s");

/** `up` is one series of Prometheus: where no web process answers, none may be missing beside others. */
const { NoWeb, ...OTHERS } = TROUBLES;

test.skipIf(!hasPrometheus)("each alert fires in a running Prometheus", async () => {
  await watching(Object.values(OTHERS), async (firing) => {
    let silent: string[] = [];
    const all = async () => {
      const found = await firing();
      silent = Object.keys(OTHERS).filter((alert) => !found.includes(alert));
      return silent.length === 0;
    };
    await until(all, { what: "each alert to fire" }).catch((error) => {
      throw new Error(`These did not fire: ${silent}`, { cause: error });
    });
  });
  await watching([NoWeb!], async (firing) => {
    await until(async () => (await firing()).includes("NoWeb"));
  });
});

test.skipIf(!hasPrometheus)("those that resemble a trouble and are none do not fire", async () => {
  await watching(
    CALM.map(([, state]) => state),
    async (firing, intervals) => {
      await until(() => intervals() > 20);
      const silent = CALM.map(([alert]) => alert);
      expect((await firing()).filter((alert) => silent.includes(alert))).toEqual([]);
    },
  );
});

/**
 * Runs Prometheus with our rules on series that take their next value at each scrape, once a second.
 * @param watch gets the names of the alerts that fire, and how often the series were read
 */
async function watching(
  states: Trouble[],
  watch: (firing: () => Promise<string[]>, intervals: () => number) => Promise<void>,
): Promise<void> {
  let interval = 0;
  const target = createServer((_, response) => {
    const lines = states
      .flatMap(({ series }) => Object.entries(series))
      .map(([name, values]) => `${prefixed(name)} ${valueAt(values, interval)}`);
    interval++;
    response.end(`${lines.join("\n")}\n`);
  });
  await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
  mkdirSync(".cache", { recursive: true });
  const folder = resolve(mkdtempSync(".cache/prometheus-"));
  const port = await freePort();
  // YAML reads JSON.
  const settings = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(folder, "rules.yml")],
    scrape_configs: [
      {
        job_name: "states",
        honor_labels: true,
        static_configs: [{ targets: [`127.0.0.1:${(target.address() as AddressInfo).port}`] }],
      },
    ],
  };
  writeFileSync(join(folder, "rules.yml"), RULES);
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(settings));
  const prometheus = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const gone = new Promise((exited) => prometheus.once("exit", exited));
  let output = "";
  prometheus.stderr.on("data", (text) => {
    output += text;
  });
  const firing = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`);
    const { data } = (await answer.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    return data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
  };
  try {
    await watch(firing, () => interval);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${output.slice(-2000)}`, { cause: error });
  } finally {
    prometheus.kill();
    await gone;
    target.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
