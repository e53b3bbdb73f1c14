import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const compose = readFileSync("compose.yaml", "utf8");

test("in compose the metrics are reachable inside, and not outside", () => {
  for (const line of ["METRICS_PORT: 9464", "WORKER_METRICS_PORT: 9465", "METRICS_HOST: 0.0.0.0"])
    expect(compose).toContain(`    ${line}\n`);
  const published = [...compose.matchAll(/^ {6}- "(\d+):\d+"$/gm)].map(([, port]) => port);
  expect(published).toEqual(["80", "443"]);
});
