import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

/**
 * Processor time that a process and all it started have used, in milliseconds: unlike time on the clock it hardly
 * depends on what else the machine does. Linux alone tells it; null elsewhere.
 */
export function cpuOf(pid: number): number | null {
  if (!existsSync("/proc/self/stat")) return null;
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const stats = new Map(all.flatMap((name) => readStat(name)));
  const sum = (at: number): number => {
    const own = stats.get(at)?.ticks ?? 0;
    return [...stats]
      .filter(([, { parent }]) => parent === at)
      .reduce((all, [child]) => all + sum(child), own);
  };
  return sum(pid) * TICK_MS;
}

function readStat(pid: string): [number, { parent: number; ticks: number }][] {
  try {
    // The name, in brackets, may hold spaces. After it: state, parent, …, and from the 12th on the times: user, system,
    // and both of the children that ended.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
    return [[Number(pid), { parent: fields[1]!, ticks }]];
  } catch {
    // It ended meanwhile.
    return [];
  }
}
