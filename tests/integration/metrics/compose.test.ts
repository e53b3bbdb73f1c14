import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { startApp } from "#tests/support/app.ts";

const compose = readFileSync("compose.yaml", "utf8");

test("compose checks the worker itself, and uses the result", async () => {
  const [, program] = /^ {8}- "(fetch\(.*)"$/m.exec(compose)!;
  // In compose a dollar is written twice.
  const command = program!.replaceAll("$$", "$");
  const port = await freePort();
  const env = { ...process.env, NODE_OPTIONS: "", WORKER_METRICS_PORT: String(port) } as NodeJS.ProcessEnv;
  const isHealthy = () => {
    try {
      execFileSync(process.execPath, ["-e", command], { env, stdio: "pipe" });
      return true;
    } catch {
      return false;
    }
  };
  expect(isHealthy()).toBe(false);
  const app = await startApp({ web: 0, env: { WORKER_METRICS_PORT: String(port) } });
  expect(isHealthy()).toBe(true);
  await app.worker[0]!.stop();
  expect(isHealthy()).toBe(false);
});

test("in compose the metrics are reachable inside, and not outside", () => {
  for (const line of ["METRICS_PORT: 9464", "WORKER_METRICS_PORT: 9465", "METRICS_HOST: 0.0.0.0"])
    expect(compose).toContain(`    ${line}\n`);
  const published = [...compose.matchAll(/^ {6}- "(\d+):\d+"$/gm)].map(([, port]) => port);
  expect(published).toEqual(["80", "443"]);
});
