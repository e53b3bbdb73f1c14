import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { freePort } from "#scripts/ports.ts";
import { send } from "./http.ts";

/** Number of bare keep-alive requests, and how many run at once. */
const BARE = { requests: 30_000, atOnce: 8 };

/**
 * Processor time, in milliseconds, that a bare `node:http` server uses for one keep-alive request: the unit in which costs
 * on different machines are compared. Null where the system does not report it.
 */
export async function unit(): Promise<number | null> {
  const port = await freePort();
  const code = `require("node:http").createServer((_, answer) => answer.end("ok")).listen(${port}, () => console.log("up"))`;
  const server = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((up) => server.stdout.once("data", up));
    const sendRequests = async (count: number) => {
      let left = count;
      await Promise.all(
        Array.from({ length: BARE.atOnce }, async () => {
          while (left-- > 0) await send(`http://localhost:${port}/`);
        }),
      );
    };
    await sendRequests(BARE.requests / 10);
    const before = cpuOf(server.pid!);
    await sendRequests(BARE.requests);
    const after = cpuOf(server.pid!);
    return before === null || after === null ? null : (after - before) / BARE.requests;
  } finally {
    server.kill();
  }
}

/** Linux counts in hundredths of a second on every machine. */
const TICK_MS = 10;

/**
 * Processor time used by a process and all its children, in milliseconds; unlike elapsed time it depends little on other
 * load. Null except on Linux.
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
    // The name, in brackets, may contain spaces. After it: state, parent, …, and from field 12 on the times: user, system,
    // and both for children that exited.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
    return [[Number(pid), { parent: fields[1]!, ticks }]];
  } catch {
    // It exited meanwhile.
    return [];
  }
}
