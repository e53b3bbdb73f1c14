import { type FileHandle, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { MINUTE } from "#app/kit/duration.ts";
import { StorageFull, StorageUnavailable } from "#app/platform/storage/blob-store.ts";

/** Space that is left free for everything else on the disk, which may include the database. */
const FREE_RESERVE = 256 * 1024 * 1024;
/** A part without a write for this long belongs to a process that died: a live one times out earlier. */
const STALE_AFTER = 2 * MINUTE;
const PART = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;

type Reserved = { file: FileHandle; release: () => Promise<void> };

/** One at a time in this process, so that of two parts of which only one fits the first is accepted. */
const reservationLimit = pLimit(1);

/**
 * Reserves space for a part before its first byte: an empty file of the part's length, whose blocks are not yet
 * allocated. All processes of the folder see it; it counts until it is released or its writer is long dead.
 * @throws StorageFull, StorageUnavailable
 */
export function reservePart(partPath: string, length: number): Promise<Reserved> {
  return reservationLimit(async () => {
    const uploads = dirname(partPath);
    const file = await open(partPath, "wx+", 0o600).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === "ENOENT"
        ? new StorageUnavailable("the folder of uploads is not there", { cause })
        : cause;
    });
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await rm(partPath, { force: true });
      await file.close();
    };
    try {
      await file.truncate(length);
      const reserved = await sumReserved(uploads);
      const { bavail, bsize } = await statfs(uploads);
      if (bavail * bsize < reserved + FREE_RESERVE) throw new StorageFull();
      return { file, release };
    } catch (error) {
      await release();
      throw error;
    }
  });
}

/** Bytes that the parts in a folder still need. Deletes parts of writers that died. */
async function sumReserved(uploads: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(uploads)) {
    if (!PART.test(name)) continue;
    const path = join(uploads, name);
    const found = await stat(path).catch(() => null);
    if (!found) continue;
    if (found.mtimeMs < Date.now() - STALE_AFTER) await rm(path, { force: true });
    // While a part is appended it exists twice.
    else bytes += 2 * found.size - Math.min(found.size, found.blocks * 512);
  }
  return bytes;
}
