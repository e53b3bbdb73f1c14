import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A slot: its number, and its folder. */
export type Slot = { number: number; directory: string; free: () => void };

/**
 * A folder for one running process, kept between runs: the first of `root/0`, `root/1`, … whose user is gone.
 * So several test runs work side by side, and one that was killed blocks nothing.
 */
export function takeSlot(root: string): Slot {
  for (let number = 0; ; number++) {
    const directory = join(root, String(number));
    const lock = join(directory, "owner");
    mkdirSync(directory, { recursive: true });
    if (isAlive(readOwner(lock))) continue;
    rmSync(lock, { force: true });
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
    } catch {
      continue;
    }
    return { number, directory, free: () => rmSync(lock, { force: true }) };
  }
}

function readOwner(lock: string): number | null {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return null;
  }
}

function isAlive(pid: number | null): boolean {
  if (!pid) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
