import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { AREAS, type Area, filesOf, WHOLE } from "#scripts/mutants/areas.ts";
import { findMutants, insertFault, type Mutant } from "#scripts/mutants/find-mutants.ts";
import { TestSelection } from "#scripts/mutants/select-tests.ts";
import { TestRunner } from "#scripts/mutants/test-runner.ts";
import { randomness } from "#scripts/random.ts";

/**
 * `npm run mutants`: puts faults into the code, each into a copy of its own, and reports those that no test detects. `-- --seed 7`
 * selects others, `--count 30` more of each area, `--area money` those of one, `--file limits` every fault of the files with that
 * in their path; `--changed` those on the lines that the last commit changed. `--skip 96` goes on with a run that was interrupted. Works on
 * copies in `.cache/mutants`, with tests selected by their imports; a fault is `stopped` if its tests wait or go on for minutes. Exit
 * code 1 if one survives.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "23" },
    area: { type: "string" },
    file: { type: "string" },
    changed: { type: "boolean", default: false },
    skip: { type: "string", default: "0" },
  },
});

/** Of each kind: tests that import the file, and tests that drive the built app. */
const MAX_TESTS = 12;
/** Before a fault counts as survived, as many more of each, `MAX_TESTS` at once; and the first ones with what `npm test` skips. */
const MAX_MORE_TESTS = 60;
/** Faults at once, each in a copy of its own: much of a run is one process that starts. */
const COPIES = Array.from({ length: availableParallelism() }, (_, at) => resolve(`.cache/mutants/${at}`));

/** `stopped` if its tests had to be. `noticedBy` has the test that failed. */
type Outcome = { survived: boolean; stopped: boolean; noticedBy: string | null };
type Verdict = Outcome & { area: string; mutant: Mutant; tests: number; seconds: number };

const tests = new TestSelection();
const verdicts: Verdict[] = [];
const faults = values.changed ? changed() : values.file ? allOf(values.file) : sample();
const waiting = faults.slice(Number(values.skip)).values();
const failing = await Promise.all(COPIES.map(judgeWaiting));
report(failing.flat());

/** @returns tests that noticed a fault and fail without it, too */
async function judgeWaiting(copy: string): Promise<string[]> {
  copyTree(copy);
  const runner = new TestRunner(copy);
  if (!(await runner.build())) throw new Error(`the sources in ${copy} do not build`);
  const noticing = new Set<string>();
  for (const [area, mutant] of waiting) {
    const verdict = await judge(area, mutant, copy, runner);
    verdicts.push(verdict);
    if (existsSync(verdict.noticedBy ?? "")) noticing.add(verdict.noticedBy!);
    print(verdict);
  }
  await runner.build();
  const failing = await runner.run([...noticing]);
  await runner.end();
  return failing ?? ["the tests that noticed the faults, which do not end"];
}

function print({ area, mutant, survived, stopped, noticedBy, tests, seconds }: Verdict): void {
  const word = survived ? "SURVIVED" : stopped ? "stopped " : "noticed ";
  const by = noticedBy ? ` by ${noticedBy.split("\n")[0]}` : "";
  console.log(
    `${word} ${area} ${mutant.file}:${mutant.line} ${mutant.what}${by} (${tests} files, ${seconds} s)`,
  );
}

/** A random sample of each area's faults. */
function sample(): [string, Mutant][] {
  const { pick } = randomness(Number(values.seed));
  const areas = Object.keys(AREAS).filter((area) => !values.area || area === values.area) as Area[];
  return areas.flatMap((area) => {
    const mutants = filesOf(area).flatMap(findMutants);
    const chosen = new Set<Mutant>();
    while (chosen.size < Math.min(Number(values.count), mutants.length)) chosen.add(pick(mutants));
    return [...chosen].map((mutant): [string, Mutant] => [area, mutant]);
  });
}

/** Every fault of the files whose path contains a text. */
function allOf(part: string): [string, Mutant][] {
  return (Object.keys(AREAS) as Area[]).flatMap((area) => {
    const files = filesOf(area).filter((path) => path.includes(part));
    return files.flatMap(findMutants).map((mutant): [string, Mutant] => [area, mutant]);
  });
}

/** Every fault on a line that the last commit changed. */
function changed(): [string, Mutant][] {
  const diff = spawnSync("git", ["diff", "--unified=0", "HEAD~1", "HEAD", "--", "app"], {
    encoding: "utf8",
  }).stdout;
  const lines = new Set<string>();
  let file = "";
  for (const line of diff.split("\n")) {
    if (line.startsWith("+++ b/")) file = line.slice(6);
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    for (let at = 0; at < Number(hunk[2] ?? 1); at++) lines.add(`${file}:${Number(hunk[1]) + at}`);
  }
  const files = [...new Set([...lines].map((line) => line.split(":")[0]!))].filter((path) =>
    /\.tsx?$/.test(path),
  );
  return files
    .flatMap(findMutants)
    .filter((mutant) => lines.has(`${mutant.file}:${mutant.line}`))
    .map((mutant) => ["changed", mutant]);
}

/** The sources beside the installed packages: what runs there does not touch the working tree. */
function copyTree(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  })
    .stdout.trim()
    .split("\n");
  for (const path of listed.filter((one) => existsSync(one))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(path, join(copy, path));
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
}

async function judge(area: string, mutant: Mutant, copy: string, runner: TestRunner): Promise<Verdict> {
  const { file } = mutant;
  const original = readFileSync(file, "utf8");
  const write = async (text: string) => {
    writeFileSync(join(copy, file), text);
    runner.change(file);
    // The template is made by it.
    if (area === "migrations") await runner.end();
  };
  const begun = Date.now();
  const chosen = new Set([...tests.testsFor(file, MAX_TESTS), ...(WHOLE[area] ?? [])]);
  await write(insertFault(mutant, original));
  const outcome = await runTests([...chosen], runner);
  if (outcome.survived) Object.assign(outcome, await runMore(file, chosen, runner));
  await write(original);
  return { area, mutant, ...outcome, tests: chosen.size, seconds: Math.round((Date.now() - begun) / 1000) };
}

/** First what needs no build: most faults are noticed there. */
async function runTests(chosen: string[], runner: TestRunner): Promise<Outcome> {
  const [built, others] = [chosen.filter(tests.needsBuild), chosen.filter((test) => !tests.needsBuild(test))];
  const first = await runner.run(others);
  if (first?.length !== 0 || built.length === 0) return outcomeOf(first);
  return outcomeOf((await runner.build()) ? await runner.run(built) : ["the build"]);
}

async function runMore(file: string, chosen: Set<string>, runner: TestRunner): Promise<Outcome> {
  const more = tests.testsFor(file, MAX_TESTS + MAX_MORE_TESTS).filter((test) => !chosen.has(test));
  if (!(await runner.build())) return outcomeOf(["the build"]);
  for (let at = 0; at < more.length; at += MAX_TESTS) {
    const outcome = outcomeOf(await runner.run(more.slice(at, at + MAX_TESTS)));
    if (!outcome.survived) return outcome;
  }
  return outcomeOf(await runner.run([...chosen], { everyWay: true }));
}

function outcomeOf(failed: string[] | null): Outcome {
  return { survived: failed?.length === 0, stopped: failed === null, noticedBy: failed?.[0] ?? null };
}

/** @param failing what fails without a fault */
function report(failing: string[]): void {
  console.log(`\nseed ${values.seed}`);
  const areas = [...new Set(verdicts.map(({ area }) => area))];
  for (const area of areas) {
    const own = verdicts.filter((verdict) => verdict.area === area);
    console.log(`${area}: ${counts(own)}`);
  }
  const survivors = verdicts.filter(({ survived }) => survived);
  console.log(counts(verdicts));
  for (const { mutant } of survivors) {
    const line = readFileSync(mutant.file, "utf8").split("\n")[mutant.line - 1]!;
    console.log(`  ${mutant.file}:${mutant.line} ${mutant.what}\n    ${line.trim()}`);
  }
  for (const test of failing)
    console.log(`fails without a fault, so that what it noticed is not known: ${test}`);
  process.exitCode = survivors.length + failing.length > 0 ? 1 : 0;
}

function counts(of: Verdict[]): string {
  const [survived, stopped] = [of.filter((one) => one.survived), of.filter((one) => one.stopped)];
  return `${of.length} faults, ${survived.length} survived, ${stopped.length} stopped`;
}
