import { fork } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#scripts/ports.ts";
import { PROGRAMS, type Program } from "#scripts/program.ts";
import { cpuOf } from "../cpu.ts";
import { note, percentile, print, written } from "../figure.ts";
import { rate } from "../http.ts";
import type { Stage } from "../stage.ts";
import { FLOODED, prepareRequests, type Requests } from "./requests.ts";
import { UNDOS } from "./undos.ts";

const ROUNDS = 7;
/** Milliseconds of processor time in a round: many of the clock's, which are 10 ms. */
const ROUND_CPU = 600;
/** Fewer would be measured before V8 has compiled the code they run. */
const WARM_SECONDS = 3;

type Web = { url: string; program: Program };

/**
 * What each optimisation of the request pipeline gains: the web process's processor time of a request without it, relative to
 * that with it, measured alternately; the median of the rounds, and the middle half of them. Words choose optimisations;
 * `a+b` undoes both at once, `nothing` compares two equal processes. `rows=a,b` chooses requests by the words in their names.
 */
export async function benchPipeline(stage: Stage, words: ReadonlySet<string>): Promise<void> {
  const rows = [...words]
    .find((word) => word.startsWith("rows="))
    ?.slice(5)
    .split(",");
  const chosen = [...words].filter((word) => !word.startsWith("rows=")).map(namesIn);
  const requests = await prepareRequests(stage);
  for (const undone of chosen.length > 0 ? chosen : [[], ...Object.keys(UNDOS).map((name) => [name])]) {
    print(`\nwithout ${undone.join(", ") || "nothing"}`);
    const pair = [await startWeb(stage, []), await startWeb(stage, undone)] as const;
    const isWanted = (name: string) => !rows || rows.some((row) => name.includes(row));
    for (const [name, { once, atOnce }] of Object.entries(requests))
      if (isWanted(name)) await compareCpu(name, pair, once, atOnce);
    if (undone.length !== 1 || undone.includes("one screen at a time")) await compareBuyers(pair);
    for (const { program } of pair) await program.stop();
  }
}

/** `lazy+buffered`: each part a word of one name. */
function namesIn(word: string): string[] {
  if (word === "nothing") return [];
  if (word === "all") return Object.keys(UNDOS);
  return word.split("+").map((part) => {
    const name = Object.keys(UNDOS).find((each) => each.includes(part));
    if (!name) throw new Error(`no optimisation is called ${part}`);
    return name;
  });
}

async function startWeb(stage: Stage, undone: string[]): Promise<Web> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const args = ["--import", "./bench/pipeline/undo-at-load.ts", ...PROGRAMS.web];
  const program = await stage.run(args, port, { BENCH_UNDO: undone.join(","), APP_URL: url });
  return { url, program };
}

/** Requests of one kind to two web processes. */
async function compareCpu(
  name: string,
  [withIt, without]: readonly [Web, Web],
  once: Requests[string]["once"],
  atOnce: number,
): Promise<void> {
  let count = 0;
  for (const { url, program } of [withIt, without]) {
    const before = cpuOf(program.pid!)!;
    const done = await repeat(
      () => once(url),
      atOnce,
      (_, seconds) => seconds < WARM_SECONDS,
    );
    count = Math.ceil((ROUND_CPU * done) / (cpuOf(program.pid!)! - before));
  }
  const costOf = async ({ url, program }: Web) => {
    const before = cpuOf(program.pid!)!;
    await repeat(
      () => once(url),
      atOnce,
      (started) => started < count,
    );
    return (cpuOf(program.pid!)! - before) / count;
  };
  const costs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push([await costOf(withIt), await costOf(without)]);
  printRatios(name, costs, "ms");
}

/** Calls by `atOnce` loops for as long as `goesOn`. @returns their number */
async function repeat(
  once: () => Promise<unknown>,
  atOnce: number,
  goesOn: (started: number, seconds: number) => boolean,
): Promise<number> {
  const begun = performance.now();
  let started = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (goesOn(started, (performance.now() - begun) / 1000)) {
        started++;
        await once();
      }
    }),
  );
  return started;
}

/** How long a buyer waits for the checkout page while others request screens: 95th percentiles in milliseconds. */
async function compareBuyers(pair: readonly [Web, Web]): Promise<void> {
  const waitOf = async ({ url }: Web) => {
    const buyer = fork("bench/one-buyer.ts", [`${url}${FLOODED.beside}`, "40"]);
    const answered = once(buyer, "message");
    const flood = rate(() => FLOODED.once(url), FLOODED.atOnce, FLOODED.seconds + 1);
    buyer.send(FLOODED.seconds);
    const [waits] = (await answered) as [number[]];
    await flood;
    buyer.disconnect();
    return percentile(waits, 0.95);
  };
  const costs: [number, number][] = [];
  for (const web of pair) await waitOf(web);
  for (let round = 0; round < ROUNDS; round++) costs.push([await waitOf(pair[0]), await waitOf(pair[1])]);
  printRatios("a buyer's wait beside a flood of screens", costs, "ms (p95)");
}

function printRatios(name: string, costs: [number, number][], unit: string): void {
  const ratios = costs.map(([withIt, without]) => without / withIt);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(ratios, share).toFixed(2));
  const medians = [0, 1].map((side) =>
    percentile(
      costs.map((pair) => pair[side]!),
      0.5,
    ),
  );
  const parts = medians
    .map((cost) => (cost < 10 ? cost.toPrecision(3) : written(cost)))
    .join(` ${unit} with, `);
  note(name, `× ${middle} (${low} to ${high})   ${parts} without`);
}
