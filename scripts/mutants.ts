import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { SECOND } from "#app/kit/duration.ts";
import { AREAS, type Area, filesOf, WHOLE } from "#scripts/mutants/areas.ts";
import { findMutants, insertFault, type Mutant } from "#scripts/mutants/find-mutants.ts";
import { TestSelection } from "#scripts/mutants/select-tests.ts";
import { randomness } from "#scripts/random.ts";

/**
 * `npm run mutants`: puts faults into the code, each into a copy of its own, and reports those that no test detects. `-- --seed 7`
 * selects others, `--count 30` more of each area, `--area money` those of one, `--file limits` every fault of the files with that
 * in their path; `--changed` those on the lines that the last commit changed. Works on copies in `.cache/mutants`, with tests selected by their imports. Exit code 1 if a fault
 * survives.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "23" },
    area: { type: "string" },
    file: { type: "string" },
    changed: { type: "boolean", default: false },
  },
});

/** Of each kind: tests that import the file, and tests that drive the built app. */
const MAX_TESTS = 12;
/** A fault that makes its tests run longer than this counts as detected. */
const MAX_SECONDS = 240;
/** Faults at once, each in a copy of its own: much of a run is one process that starts. */
const COPIES = Array.from({ length: availableParallelism() }, (_, at) => resolve(`.cache/mutants/${at}`));

type Verdict = { area: string; mutant: Mutant; survived: boolean; tests: number; seconds: number };

const tests = new TestSelection();
const verdicts: Verdict[] = [];
const faults = values.changed ? changed() : values.file ? allOf(values.file) : sample();
const waiting = faults.values();
await Promise.all(
  COPIES.map(async (copy) => {
    copyTree(copy);
    for (const [area, mutant] of waiting) {
      const verdict = await judge(area, mutant, copy);
      verdicts.push(verdict);
      const { file, line, what } = mutant;
      const result = verdict.survived ? "SURVIVED" : "noticed ";
      console.log(`${result} ${area} ${file}:${line} ${what} (${verdict.tests} files, ${verdict.seconds} s)`);
    }
  }),
);
report();

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
  const listed = spawnSync("git", ["ls-files"], { encoding: "utf8" }).stdout.trim().split("\n");
  for (const path of listed.filter((one) => existsSync(one))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(path, join(copy, path));
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
}

async function judge(area: string, mutant: Mutant, copy: string): Promise<Verdict> {
  const { file } = mutant;
  const original = readFileSync(file, "utf8");
  const begun = Date.now();
  const chosen = [...new Set([...tests.testsFor(file, MAX_TESTS), ...(WHOLE[area] ?? [])])];
  writeFileSync(join(copy, file), insertFault(mutant, original));
  try {
    const survived = chosen.length === 0 || ((await builds(copy)) && (await passes(chosen, copy)));
    return { area, mutant, survived, tests: chosen.length, seconds: Math.round((Date.now() - begun) / 1000) };
  } finally {
    writeFileSync(join(copy, file), original);
  }
}

async function builds(copy: string): Promise<boolean> {
  const build = spawn(process.execPath, ["scripts/build.ts"], { cwd: copy, stdio: "ignore" });
  const [status] = await once(build, "exit");
  return status === 0;
}

async function passes(chosen: string[], copy: string): Promise<boolean> {
  const projects = ["structure", "unit", "sandbox", "isolated", "shared"].flatMap((name) => [
    "--project",
    name,
  ]);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", ...projects, ...chosen];
  // A process group of its own: its children end with it.
  const run = spawn(process.execPath, args, { cwd: copy, stdio: "ignore", detached: true });
  const end = setTimeout(() => process.kill(-run.pid!, "SIGKILL"), MAX_SECONDS * SECOND);
  const [status] = await once(run, "exit");
  clearTimeout(end);
  return status === 0;
}

function report(): void {
  console.log(`\nseed ${values.seed}`);
  const areas = [...new Set(verdicts.map(({ area }) => area))];
  for (const area of areas) {
    const own = verdicts.filter((verdict) => verdict.area === area);
    console.log(`${area}: ${own.length} faults, ${own.filter(({ survived }) => survived).length} survived`);
  }
  const survivors = verdicts.filter(({ survived }) => survived);
  console.log(`${verdicts.length} faults, ${survivors.length} survived`);
  for (const { mutant } of survivors) {
    const line = readFileSync(mutant.file, "utf8").split("\n")[mutant.line - 1]!;
    console.log(`  ${mutant.file}:${mutant.line} ${mutant.what}\n    ${line.trim()}`);
  }
  process.exitCode = survivors.length > 0 ? 1 : 0;
}
