import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "#scripts/ports.ts";
import { copySources } from "#tests/long/copy-sources.ts";
import { until } from "#tests/support/until.ts";

const copy = copySources();
let started: ChildProcess | undefined;

afterAll(async () => {
  await stop();
  rmSync(copy, { recursive: true, force: true });
});

test("`npm start` runs web and worker of one build: after a fresh clone, and after an update", {
  timeout: 240_000,
}, async () => {
  const first = await start();
  expect(first(), "a program ended before the build was there").not.toContain("terminou");
  expect(first()).toContain('"msg":"worker ready"');
  await stop();
  const file = join(copy, "app/queue/run.server.ts");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace('"worker ready"', '"worker of the update is ready"'),
  );
  const second = await start();
  expect(second()).toContain('"msg":"worker of the update is ready"');
  expect(second(), "the worker of the build before was started").not.toContain('"msg":"worker ready"');
  await stop();
});

test("`npm start` whose output finds no room on a disk goes on", { timeout: 240_000 }, async () => {
  const full = openSync("/dev/full", "w");
  const port = await freePort();
  await spawnShop(port, full);
  closeSync(full);
  await until(async () => (await fetch(`http://localhost:${port}/readyz`)).ok, { seconds: 120 });
});

/** Starts the shop and waits until web and worker have reported to be ready. @returns its whole output */
async function start(): Promise<() => string> {
  let output = "";
  const shop = await spawnShop(await freePort(), "pipe");
  for (const stream of [shop.stdout!, shop.stderr!]) stream.on("data", (chunk) => (output += chunk));
  const isUp = () => output.includes("Checkintelli está no ar") && /"msg":"worker [^"]*ready"/.test(output);
  await until(isUp, { seconds: 120, what: "web and worker to be ready" }).catch((error) => {
    throw new Error(output, { cause: error });
  });
  return () => output;
}

async function spawnShop(port: number, output: "pipe" | number): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH, PORT: String(port), SANDBOX_PORT: String(await freePort()) };
  started = spawn(process.execPath, ["scripts/start.ts"], {
    cwd: copy,
    env: env as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", output, output],
  });
  return started;
}

async function stop(): Promise<void> {
  if (!started || started.exitCode !== null) return;
  const gone = new Promise((done) => started!.once("exit", done));
  started.kill("SIGTERM");
  await gone;
}
