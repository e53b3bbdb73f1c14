import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { buildIfStale } from "#scripts/build-if-stale.ts";

/**
 * `npm test`: every check in order, stopping at the first that fails. `npm test -- <filter> …` runs only the tests whose
 * path holds a filter. `npm run test:long` runs what proves more than every change can wait for: `tests/long/`, and the
 * journeys in every way (`tests/support/ways.ts`).
 * Ends with `N passed, N failed` alone on a line.
 */
const [long, filters] =
  process.argv[2] === "--long" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
const reports: string[] = [];
const started = Date.now();

const WITHOUT_BROWSER = ["structure", "unit", "sandbox", "integration"];

type Step = { title: string; run: () => boolean | Promise<boolean>; always?: boolean };

const build: Step = { title: "build", run: () => buildIfStale().then(() => true), always: true };
const everyChange: Step[] = [
  { title: "format and lint", run: () => tool("@biomejs/biome/bin/biome", "check", ".") },
  { title: "types", run: () => tool("typescript/bin/tsc", "--noEmit") },
  { title: "dead code", run: () => tool("knip/bin/knip.js") },
  build,
  { title: "tests and journeys", run: () => together(WITHOUT_BROWSER, ["journeys"]), always: true },
];
const everyWay = () => {
  process.env.EVERY_WAY = "1";
  return tests("journeys");
};
const longRun: Step[] = [
  build,
  { title: "long tests", run: () => tests("long"), always: true },
  { title: "journeys, every way", run: everyWay, always: true },
];
const steps = long ? longRun : everyChange;

let whole = true;
for (const { title, run, always } of steps) {
  if (filters.length > 0 && !always) continue;
  console.log(`\n── ${title}`);
  const begun = Date.now();
  const passed = await Promise.resolve()
    .then(run)
    .catch((error: unknown) => {
      console.error(error);
      return false;
    });
  console.log(`── ${title}: ${passed ? "ok" : "FAILED"} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  if (!passed) {
    whole = false;
    break;
  }
}

const { passed, failed } = reports.map(count).reduce(add, { passed: 0, failed: 0 });
console.log(`\n${((Date.now() - started) / 1000).toFixed(0)} s in all`);
// A step that is no test, or a test file that could not even be read, counts as one failure.
console.log(`${passed} passed, ${whole ? failed : Math.max(failed, 1)} failed`);
process.exit(whole && failed === 0 ? 0 : 1);

/** Runs a development tool by its file, so that it needs no PATH and uses this very Node. */
function tool(file: string, ...args: string[]): boolean {
  const { status } = spawnSync(process.execPath, [`node_modules/${file}`, ...args], { stdio: "inherit" });
  return status === 0;
}

/** Two runs at once: while tests wait for a clock or a lease, the journeys have the processor. The second's words come last. */
async function together(first: string[], second: string[]): Promise<boolean> {
  const said: Buffer[] = [];
  const quiet = ended(spawn(process.execPath, vitest(second)), (words) => said.push(words));
  const passed = await ended(spawn(process.execPath, vitest(first)), (words) => process.stdout.write(words));
  const bothPassed = (await quiet) && passed;
  process.stdout.write(Buffer.concat(said));
  return bothPassed;
}

function ended(child: ChildProcessWithoutNullStreams, hear: (words: Buffer) => void): Promise<boolean> {
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

function tests(...projects: string[]): boolean {
  const [file, ...args] = vitest(projects);
  return spawnSync(process.execPath, [file!, ...args], { stdio: "inherit" }).status === 0;
}

/** The arguments of a run that leaves its report. */
function vitest(projects: string[]): string[] {
  const report = `.cache/tests/${projects.join("-")}.json`;
  mkdirSync(".cache/tests", { recursive: true });
  rmSync(report, { force: true });
  reports.push(report);
  return [
    ...["node_modules/vitest/vitest.mjs", "run"],
    ...projects.flatMap((project) => ["--project", project]),
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ...(filters.length > 0 ? ["--passWithNoTests", ...filters] : []),
  ];
}

function count(report: string): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
  return { passed: numPassedTests, failed: numFailedTests };
}

function add(a: { passed: number; failed: number }, b: { passed: number; failed: number }) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}
