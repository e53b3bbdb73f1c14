import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { DAY } from "#app/kit/duration.ts";
import { buildIfStale } from "#scripts/build-if-stale.ts";

/**
 * `npm test`: every check in order, stopping at the first failure. `npm test -- <filter> …` runs only the tests whose path
 * contains a filter. `npm run test:long` runs checks that take too long for every change: `tests/long/`, and all other tests
 * in all their variants (`tests/support/run/ways.ts`). Ends with `N passed, N failed` alone on a line.
 */
const [long, filters] =
  process.argv[2] === "--long" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
const reports: string[] = [];
const started = Date.now();

const WITHOUT_BROWSER = ["structure", "unit", "sandbox", "isolated", "shared"];

type Step = { title: string; run: () => boolean | Promise<boolean> };

const TOOLS: [title: string, file: string, ...args: string[]][] = [
  ["format and lint", "@biomejs/biome/bin/biome", "check", "."],
  // Version 7 takes a third of the time; Remix, and the tests that parse our source, need the API of version 5.
  ["types", "typescript-7/bin/tsc", "--noEmit"],
  ["dead code", "knip/bin/knip.js"],
];
// Each uses one core: in parallel they take the time of the slowest.
const tools: Step = {
  title: "format, types, dead code, build",
  run: async () => {
    const passed = await Promise.all([...TOOLS.map((tool) => runTool(...tool)), buildIfStale()]);
    return passed.slice(0, TOOLS.length).every(Boolean);
  },
};
const build: Step = { title: "build", run: () => buildIfStale().then(() => true) };
const everyChange: Step[] = [
  filters.length > 0 ? build : tools,
  { title: "tests and journeys", run: () => together(WITHOUT_BROWSER, ["journeys"]) },
];
const allVariants = () => {
  process.env.EVERY_WAY = "1";
  return tests("journeys");
};
const everyTest = () => {
  process.env.EVERY_WAY = "1";
  return tests("structure", "unit", "sandbox", "isolated", "shared");
};
const longRun: Step[] = [
  build,
  { title: "long tests", run: () => tests("long") },
  { title: "journeys, every way", run: allVariants },
  { title: "tests without a browser, long ones too", run: everyTest },
];
const steps = long ? longRun : everyChange;
if (long) {
  process.env.RANDOM_SEED ??= String(Math.floor(started / DAY));
  console.log(`random tests: RANDOM_SEED=${process.env.RANDOM_SEED}`);
}

let whole = true;
for (const { title, run } of steps) {
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
for (const report of reports) printFailures(report);
console.log(`\n${((Date.now() - started) / 1000).toFixed(0)} s in all`);
// A failed step that is not a test, or a test file that could not be loaded, counts as one failure.
console.log(`${passed} passed, ${whole ? failed : Math.max(failed, 1)} failed`);
process.exit(whole && failed === 0 ? 0 : 1);

/** Runs a development tool by its file, without PATH and with this very Node. Its output is printed when it has ended. */
async function runTool(title: string, file: string, ...args: string[]): Promise<boolean> {
  const output: Buffer[] = [];
  const child = spawn(process.execPath, [`node_modules/${file}`, ...args]);
  const passed = await ended(child, (chunk) => output.push(chunk));
  console.log(`${title}: ${passed ? "ok" : "FAILED"}\n${Buffer.concat(output)}`);
  return passed;
}

/**
 * Two runs in parallel: the journeys use the processor while tests wait for a clock or a lease. The second's output is
 * printed last.
 */
async function together(first: string[], second: string[]): Promise<boolean> {
  const output: Buffer[] = [];
  const quiet = ended(spawn(process.execPath, vitest(second)), (chunk) => output.push(chunk));
  const passed = await ended(spawn(process.execPath, vitest(first)), (chunk) => process.stdout.write(chunk));
  const bothPassed = (await quiet) && passed;
  process.stdout.write(Buffer.concat(output));
  return bothPassed;
}

function ended(child: ChildProcessWithoutNullStreams, onOutput: (chunk: Buffer) => void): Promise<boolean> {
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}

function tests(...projects: string[]): boolean {
  const [file, ...args] = vitest(projects);
  return spawnSync(process.execPath, [file!, ...args], { stdio: "inherit" }).status === 0;
}

/** The arguments of a run that writes a report. */
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

/** Repeats at the end what failed and why, because readers of a long log read its end. */
function printFailures(report: string): void {
  if (!existsSync(report)) return;
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  for (const { name, status, message, assertionResults } of testResults) {
    if (status !== "failed") continue;
    console.log(`\nFAILED ${relative(process.cwd(), name)} ${message}`);
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== "failed") continue;
      const failureText = failureMessages.join("\n").slice(0, 4000);
      console.log(`  ${fullName}\n${failureText}${sourceOf(failureText)}`);
    }
  }
}

/** The test line at which a failure occurred: a message like "expects a string" is useless without it. */
function sourceOf(stack: string): string {
  const [, file, line] = /(\/[^()\s]*\/tests\/[^()\s:]+):(\d+):\d+/.exec(stack) ?? [];
  const text =
    file && existsSync(file) ? readFileSync(file, "utf8").split("\n")[Number(line) - 1] : undefined;
  return text ? `\n  ${relative(process.cwd(), file!)}:${line}: ${text.trim()}` : "";
}

function add(a: { passed: number; failed: number }, b: { passed: number; failed: number }) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}
