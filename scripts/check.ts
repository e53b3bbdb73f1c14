import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { buildIfStale } from "#scripts/build-if-stale.ts";

/**
 * `npm test`: every check in order, stopping at the first that fails. `npm test -- <filter> …` runs only the tests whose
 * path holds a filter. `npm run test:long` runs what proves more than every change can wait for: `tests/long/`, and the
 * journeys in every way and the integration tests with their long ones (`tests/support/run/ways.ts`).
 * Ends with `N passed, N failed` alone on a line.
 */
const [long, filters] =
  process.argv[2] === "--long" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
const reports: string[] = [];
const started = Date.now();

const WITHOUT_BROWSER = ["structure", "unit", "sandbox", "integration", "shared"];

type Step = { title: string; run: () => boolean | Promise<boolean> };

const TOOLS: [title: string, file: string, ...args: string[]][] = [
  ["format and lint", "@biomejs/biome/bin/biome", "check", "."],
  // Version 7 takes a third of the time; Remix, and the tests that read our source, want the API of version 5.
  ["types", "typescript-7/bin/tsc", "--noEmit"],
  ["dead code", "knip/bin/knip.js"],
];
// Each uses one core: side by side they take the time of the slowest.
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
const everyWay = () => {
  process.env.EVERY_WAY = "1";
  return tests("journeys");
};
const everyTest = () => {
  process.env.EVERY_WAY = "1";
  return tests("integration", "shared");
};
const longRun: Step[] = [
  build,
  { title: "long tests", run: () => tests("long") },
  { title: "journeys, every way", run: everyWay },
  { title: "integration, long ones too", run: everyTest },
];
const steps = long ? longRun : everyChange;

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
for (const report of reports) tellFailures(report);
console.log(`\n${((Date.now() - started) / 1000).toFixed(0)} s in all`);
// A step that is no test, or a test file that could not even be read, counts as one failure.
console.log(`${passed} passed, ${whole ? failed : Math.max(failed, 1)} failed`);
process.exit(whole && failed === 0 ? 0 : 1);

/** Runs a development tool by its file, so that it needs no PATH and uses this very Node. What it says comes when it has ended. */
async function runTool(title: string, file: string, ...args: string[]): Promise<boolean> {
  const said: Buffer[] = [];
  const child = spawn(process.execPath, [`node_modules/${file}`, ...args]);
  const passed = await ended(child, (words) => said.push(words));
  console.log(`${title}: ${passed ? "ok" : "FAILED"}\n${Buffer.concat(said)}`);
  return passed;
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

/** Says once more, at the end, what failed and why: whoever reads a long log reads its end. */
function tellFailures(report: string): void {
  if (!existsSync(report)) return;
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  for (const { name, status, message, assertionResults } of testResults) {
    if (status !== "failed") continue;
    console.log(`\nFAILED ${relative(process.cwd(), name)} ${message}`);
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== "failed") continue;
      const words = failureMessages.join("\n").slice(0, 4000);
      console.log(`  ${fullName}\n${words}${sourceOf(words)}`);
    }
  }
}

/** The line of a test at which a failure came up: words like "expects a string" say nothing without it. */
function sourceOf(stack: string): string {
  const [, file, line] = /(\/[^()\s]*\/tests\/[^()\s:]+):(\d+):\d+/.exec(stack) ?? [];
  const text =
    file && existsSync(file) ? readFileSync(file, "utf8").split("\n")[Number(line) - 1] : undefined;
  return text ? `\n  ${relative(process.cwd(), file!)}:${line}: ${text.trim()}` : "";
}

function add(a: { passed: number; failed: number }, b: { passed: number; failed: number }) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}
