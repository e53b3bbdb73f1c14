import { existsSync, statfsSync } from "node:fs";

const FOLDER = "/dev/shm";
/** In bytes; some containers have 64 MB of it. */
const SHARED_MEMORY = 2 * 1024 * 1024 * 1024;

/** A folder in memory for files that live for seconds; null if there is little space for them. */
export function sharedMemory(): string | null {
  if (!existsSync(FOLDER)) return null;
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize > SHARED_MEMORY ? FOLDER : null;
}
