import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { CALM, prefixed, TROUBLES, type Trouble } from "#tests/long/alert-states.ts";

const RULES = "ops/prometheus/alerts.yml";
const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\S+)/g)].map(([, name]) => name!);
/** Prometheus' own tool (`apt-get install prometheus`): without it the rules are not tested, and the run reports it. */
const hasTool = spawnSync("promtool", ["--version"]).status === 0;

/** A test in promtool's notation: whether the alert fires at that moment, whatever its labels. */
function promTest(alert: string, { at, series }: Trouble, fires: boolean) {
  return {
    interval: "15s",
    input_series: Object.entries(series).map(([name, values]) => ({ series: prefixed(name), values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: at,
        exp_samples: fires ? [{ labels: "{}", value: 1 }] : [],
      },
    ],
  };
}

test("every alert has a state in which it is tested", () => {
  expect(Object.keys(TROUBLES).sort()).toEqual([...alerts].sort());
});

test.skipIf(!hasTool)("promtool finds no mistake in the rules", () => {
  const output = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  expect(output.status, output.stdout + output.stderr).toBe(0);
});

test.skipIf(!hasTool)("each alert fires at its trouble's first burst, and not where there is none", () => {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(".cache/alerts-");
  try {
    const tests = [
      ...Object.entries(TROUBLES).map(([alert, trouble]) => promTest(alert, trouble, true)),
      ...CALM.map(([alert, trouble]) => promTest(alert, trouble, false)),
    ];
    const file = join(folder, "tests.yml");
    // YAML reads JSON.
    writeFileSync(file, JSON.stringify({ rule_files: [resolve(RULES)], evaluation_interval: "15s", tests }));
    const output = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    expect(output.status, output.stdout + output.stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
