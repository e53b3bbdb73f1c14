import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DAY } from "#app/kit/duration.ts";

/**
 * Writes a file that gets its name only once it is whole; an earlier one of that name stays until then. Nothing is left where
 * writing fails, as on a full disk.
 * @param write writes it to the path it is given
 */
export async function writeWhole<T>(file: string, write: (part: string) => Promise<T>): Promise<T> {
  // Two may be written at once.
  const part = `${file}.${randomUUID()}.part`;
  await removeAbandoned(file);
  try {
    const written = await write(part);
    await rename(part, file);
    return written;
  } finally {
    await rm(part, { force: true });
  }
}

/** Deletes what those were writing that were killed: one that goes on writes, and so is newer. */
async function removeAbandoned(file: string): Promise<void> {
  const names = await readdir(dirname(file));
  for (const name of names.filter((one) => one.startsWith(`${basename(file)}.`) && one.endsWith(".part"))) {
    const part = join(dirname(file), name);
    const found = await stat(part).catch(() => null);
    if (found && found.mtimeMs < Date.now() - DAY) await rm(part, { force: true });
  }
}
