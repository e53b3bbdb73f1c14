import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";

mkdirSync(".cache", { recursive: true });
const folder = mkdtempSync(resolve(".cache", "structure-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const START = `
  const { chromiumLaunch } = await import(process.argv[1]);
  const { execFileSync } = await import("node:child_process");
  const { executablePath } = await chromiumLaunch();
  process.stdout.write(execFileSync(executablePath, ["--version", "--no-sandbox"]));
`;

test("test files that start at once on a fresh clone each find a whole browser", async () => {
  const start = (delay: number) =>
    new Promise((go) => setTimeout(go, delay)).then(() =>
      promisify(execFile)(
        process.execPath,
        ["--input-type=module", "--eval", START, resolve("tests/support/clients/chromium.ts")],
        { cwd: folder, env: { ...process.env, CHROMIUM_PATH: "", PATH: "" } },
      ),
    );
  const started = await Promise.all([start(0), start(700)]);
  for (const { stdout } of started) expect(stdout).toMatch(/\d+\.\d+\.\d+/);
  expect(readdirSync(join(folder, ".cache"))).toEqual(["chromium"]);
});
