import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "#scripts/ports.ts";
import { PROGRAMS, type Program } from "#scripts/program.ts";
import { note, percentile, print, written } from "../figure.ts";
import { rate } from "../http.ts";
import type { Stage } from "../stage.ts";
import { FLOODED, prepareRequests, type Requests } from "./requests.ts";
import { UNDOS } from "./undos.ts";

const ROUNDS = 15;
/** Milliseconds of processor time in a round. */
const ROUND_CPU = 300;
/** As much before the first round, until V8 has compiled the code that runs. */
const WARM_CPU = 1500;

/** A web process; `cpu` is its processor time so far, in milliseconds. */
type Web = { url: string; program: Program; cpu: () => Promise<number> };
/** With the optimisation, and without it. */
type Pair = readonly [Web, Web];

/**
 * What each optimisation of the request pipeline gains: the web process's processor time of a request without it, relative to
 * that with it, measured alternately; the median of the rounds, and the middle half of them. Words choose optimisations;
 * `buffered+route cache` undoes both at once, `nothing` compares two equal processes. `rows=page,file` chooses requests by the words in
 * their names.
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
    for (const [name, { once, atOnce }] of Object.entries(requests))
      if (!rows || rows.some((row) => name.includes(row))) await compareCpu(name, pair, once, atOnce);
    if (undone.includes("one screen at a time")) await compareBuyers(pair);
    for (const { program } of pair) await program.stop();
  }
}

/** The optimisations whose names contain the parts of a word. */
function namesIn(word: string): string[] {
  if (word === "nothing") return [];
  return word.split("+").map((part) => {
    const name = Object.keys(UNDOS).find((each) => each.includes(part));
    if (!name) throw new Error(`no optimisation is called ${part}`);
    return name;
  });
}

async function startWeb(stage: Stage, undone: string[]): Promise<Web> {
  const [port, cpuPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const args = ["--import", "./bench/pipeline/undo-at-load.ts", ...PROGRAMS.web];
  const own = { BENCH_UNDO: undone.join(","), BENCH_CPU_PORT: String(cpuPort), APP_URL: url };
  const program = await stage.run(args, port, own);
  return { url, program, cpu: async () => Number(await text(connect(cpuPort, "127.0.0.1"))) / 1000 };
}

/** Requests of one kind to two web processes. */
async function compareCpu(
  name: string,
  pair: Pair,
  once: Requests[string]["once"],
  atOnce: number,
): Promise<void> {
  let count = 0;
  for (const { url, cpu } of pair) {
    const cold = await cpu();
    let [done, spent] = [0, 0];
    for (let before = cold; before - cold < WARM_CPU; before += spent) {
      done = await repeat(
        () => once(url),
        atOnce,
        (_, seconds) => seconds < 0.5,
      );
      spent = (await cpu()) - before;
    }
    count = Math.max(2 * atOnce, Math.ceil((ROUND_CPU * done) / spent));
  }
  await compare(name, "ms", pair, async ({ url, cpu }) => {
    const before = await cpu();
    await repeat(
      () => once(url),
      atOnce,
      (started) => started < count,
    );
    return ((await cpu()) - before) / count;
  });
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
async function compareBuyers(pair: Pair): Promise<void> {
  const waitOf = async ({ url }: Web) => {
    const buyer = fork("bench/one-buyer.ts", [`${url}${FLOODED.beside}`, "20"]);
    const answered = once(buyer, "message");
    const flood = rate(() => FLOODED.once(url), FLOODED.atOnce, FLOODED.seconds + 1);
    buyer.send(FLOODED.seconds);
    const [waits] = (await answered) as [number[]];
    await flood;
    buyer.disconnect();
    return percentile(waits, 0.95);
  };
  for (const web of pair) await waitOf(web);
  await compare("a buyer's wait beside a flood of screens", "ms (p95)", pair, waitOf);
}

/** Measures both alternately, each of them first in every other round, and prints the ratio. */
async function compare(
  name: string,
  unit: string,
  [withIt, without]: Pair,
  costOf: (web: Web) => Promise<number>,
): Promise<void> {
  const costs: { withIt: number; without: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2) costs.push({ without: await costOf(without), withIt: await costOf(withIt) });
    else costs.push({ withIt: await costOf(withIt), without: await costOf(without) });
  }
  const ratios = costs.map((cost) => cost.without / cost.withIt);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(ratios, share).toFixed(2));
  const median = (side: "withIt" | "without") => {
    const cost = percentile(
      costs.map((each) => each[side]),
      0.5,
    );
    return cost < 10 ? cost.toPrecision(3) : written(cost);
  };
  note(
    name,
    `× ${middle} (${low} to ${high})   ${median("withIt")} ${unit} with, ${median("without")} without`,
  );
}
