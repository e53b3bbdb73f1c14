import { type FileHandle, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { MINUTE } from "#app/kit/duration.ts";
import { StorageAway, StorageFull } from "#app/platform/storage/keeper.ts";

/** What is left free for everything else on the disk: the database may be on it. */
const RESERVE = 256 * 1024 * 1024;
/** A part that was not written to for so long belongs to a process that died: a living one waits for bytes less. */
const DEAD = 2 * MINUTE;
const PART = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;

type Reserved = { file: FileHandle; release: () => Promise<void> };

/** One at a time in this process, so that of two that fit one by one the first is taken. */
const reserving = pLimit(1);

/**
 * Reserves room for a part before its first byte: an empty file of the part's length, whose blocks are still to come. All
 * processes of the folder see it, and it counts until it is released, or its writer is long dead.
 * @throws StorageFull, StorageAway
 */
export function reservePart(place: string, length: number): Promise<Reserved> {
  return reserving(async () => {
    const uploads = dirname(place);
    const file = await open(place, "wx+", 0o600).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === "ENOENT"
        ? new StorageAway("the folder of uploads is not there", { cause })
        : cause;
    });
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await rm(place, { force: true });
      await file.close();
    };
    try {
      await file.truncate(length);
      const reserved = await reservedIn(uploads);
      const { bavail, bsize } = await statfs(uploads);
      if (bavail * bsize < reserved + RESERVE) throw new StorageFull();
      return { file, release };
    } catch (error) {
      await release();
      throw error;
    }
  });
}

/** Bytes that the parts in a folder are still going to take. Parts of writers that died are deleted. */
async function reservedIn(uploads: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(uploads)) {
    if (!PART.test(name)) continue;
    const path = join(uploads, name);
    const found = await stat(path).catch(() => null);
    if (!found) continue;
    if (found.mtimeMs < Date.now() - DEAD) await rm(path, { force: true });
    // A part is there twice while it is appended.
    else bytes += 2 * found.size - Math.min(found.size, found.blocks * 512);
  }
  return bytes;
}
