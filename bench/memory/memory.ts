import { figure, note, percentile, written } from "../figure.ts";
import { BUYERS, buy } from "../flow.ts";
import { type Stage, setStage } from "../stage.ts";
import type { Held } from "./probe.ts";
import { memoryOf } from "./resident.ts";

const WARM = 1000;
/** How long purchases go on after these; `minutes=5` after `-- memory` changes it. */
const MINUTES = 20;
const READ_EVERY_MS = 5000;
const NAMES = ["web", "worker"] as const;
/** Resident MB of each after the first purchases. */
const MOST_MB = { web: 300, worker: 250 };
/** By how much the resident memory of the last quarter may be above the first one's, and what is in use above what was. */
const FLAT = 1.1;

/**
 * Resident memory of web and worker after a thousand purchases by twenty buyers at once, and whether it stays there while
 * purchases go on. What is in use after a full collection tells a leak from garbage.
 */
export async function benchMemory(args: ReadonlySet<string>): Promise<void> {
  const minutes = Number([...args].find((arg) => arg.startsWith("minutes="))?.slice(8) ?? MINUTES);
  const stage = await setStage(null);
  try {
    await stage.open({ webs: 1, workers: 1, options: ["--import", "./bench/memory/probe.ts"] });
    await noteHeld(stage, "memory, started", "read");
    await during(stage, (begun) => begun < WARM);
    await noteHeld(stage, `after ${WARM} purchases`, "read");
    for (const name of NAMES)
      figure(`${name} after ${WARM} purchases`, residentOf(stage, name), { atMost: MOST_MB[name] }, " MB");
    const before = await noteHeld(stage, "collected", "collect");
    const readings: Record<(typeof NAMES)[number], number[]> = { web: [], worker: [] };
    const timer = setInterval(() => {
      for (const name of NAMES) readings[name].push(residentOf(stage, name));
    }, READ_EVERY_MS);
    const end = performance.now() + minutes * 60_000;
    const more = await during(stage, () => performance.now() < end);
    clearInterval(timer);
    await noteHeld(stage, `after ${written(WARM + more)} purchases`, "read");
    const after = await noteHeld(stage, "collected", "collect");
    for (const name of NAMES) {
      const quarters = [0, 1, 2, 3].map((at) => {
        const each = readings[name].length / 4;
        return percentile(readings[name].slice(Math.floor(at * each), Math.floor((at + 1) * each)), 0.5);
      });
      const parts = `of ${written(minutes)} minutes: ${quarters.map(written).join(", ")} MB`;
      figure(
        `${name}, last quarter of the first's`,
        quarters[3]! / quarters[0]!,
        { atMost: FLAT },
        "",
        parts,
      );
      const [had, has] = [before[name].heapUsed, after[name].heapUsed];
      const inUse = `${written(has)} MB, after ${WARM} purchases ${written(had)} MB`;
      figure(`${name}, heap in use after collecting`, has / had, { atMost: FLAT }, "", inUse);
    }
  } finally {
    await stage.close();
  }
}

/** Purchases by twenty buyers at once for as long as `goesOn`, and all that follows from them. @returns how many */
async function during(stage: Stage, goesOn: (begun: number) => boolean): Promise<number> {
  let begun = 0;
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (goesOn(begun)) {
        begun++;
        await buy(stage);
      }
    }),
  );
  await stage.idle();
  return begun;
}

function residentOf(stage: Stage, name: (typeof NAMES)[number]): number {
  return memoryOf(name === "web" ? stage.webPid() : stage.workerPid()) ?? 0;
}

/** Prints what both hold. */
async function noteHeld(stage: Stage, label: string, message: "read" | "collect") {
  const held = {} as Record<(typeof NAMES)[number], Held>;
  for (const name of NAMES) {
    held[name] = (await stage.ask(name, message)) as Held;
    const parts = Object.entries(held[name]).map(([what, mb]) => `${what} ${written(mb)}`);
    note(`${name} ${label}`, `${written(residentOf(stage, name))} MB resident; ${parts.join(", ")}`);
  }
  return held;
}
