import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFree, RESERVED } from "#scripts/ports.ts";

/** A slot: its number, and its folder. */
export type Slot = { number: number; directory: string; free: () => void };

/**
 * A folder for one running process, kept between runs: the first of `root/0`, `root/1`, … whose user is gone. So
 * several test runs work side by side, and one that was killed blocks nothing.
 */
export function claimSlot(root: string): Slot {
  for (let number = 0; ; number++) {
    const directory = join(root, String(number));
    mkdirSync(directory, { recursive: true });
    const lock = acquireLock(directory);
    if (lock) return { number, directory, free: () => writeFileSync(lock, FREE) };
  }
}

const FREE = "free";

/**
 * Acquires a folder whose last owner is gone; null if somebody has it. A lock is a file `owner.N` and the highest
 * number counts. A stale lock is never removed before the next one exists: removing a file by its name may remove a
 * newer one.
 */
function acquireLock(directory: string): string | null {
  const last = newestLock(directory);
  if (last > 0 && isAlive(readOwner(join(directory, `owner.${last}`)))) return null;
  const mine = join(directory, `owner.${last + 1}`);
  const draft = join(directory, `draft.${process.pid}`);
  writeFileSync(draft, String(process.pid));
  try {
    // Exactly one process gets the name, and its content is there from the first moment.
    linkSync(draft, mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return null;
  } finally {
    rmSync(draft, { force: true });
  }
  if (newestLock(directory) > last + 1) {
    rmSync(mine, { force: true });
    return null;
  }
  for (const number of locks(directory))
    if (number <= last) rmSync(join(directory, `owner.${number}`), { force: true });
  return mine;
}

const newestLock = (directory: string) => Math.max(0, ...locks(directory));

function locks(directory: string): number[] {
  return readdirSync(directory).flatMap((name) =>
    name.startsWith("owner.") ? [Number(name.slice("owner.".length))] : [],
  );
}

/** Null if nobody has it; a lock that vanished was replaced by a newer one. */
function readOwner(lock: string): number | "replaced" | null {
  try {
    const owner = readFileSync(lock, "utf8");
    return owner === FREE ? null : Number(owner);
  } catch {
    return "replaced";
  }
}

function isAlive(owner: number | "replaced" | null): boolean {
  if (owner === "replaced") return true;
  if (!owner) return false;
  try {
    return process.kill(owner, 0);
  } catch {
    return false;
  }
}

/**
 * Two ports that are this process's for as long as it lives: of web and sandbox. Its environment names them long
 * before a server listens there, and between two files nothing does: another test process must not use them.
 */
export async function ownPorts(): Promise<[web: number, sandbox: number]> {
  const root = join(tmpdir(), `checkintelli-ports-${process.getuid?.() ?? ""}`);
  for (;;) {
    const web = RESERVED + 2 * claimSlot(root).number;
    if ((await isFree(web)) && (await isFree(web + 1))) return [web, web + 1];
  }
}

const FOLDER = "/dev/shm";
/** In bytes; some containers have 64 MB of it. */
const SHARED_MEMORY = 2 * 1024 * 1024 * 1024;

/** A folder in memory for files that live for seconds; null if there is little space for them. */
export function sharedMemory(): string | null {
  if (!existsSync(FOLDER)) return null;
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize > SHARED_MEMORY ? FOLDER : null;
}
