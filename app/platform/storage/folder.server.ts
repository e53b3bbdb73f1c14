import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { FileGone, type Keeper, StorageFull } from "#app/platform/storage/keeper.ts";

/** How much of a file is in memory at once. */
const CHUNK = 256 * 1024;
/** What is left free for everything else on the disk: the database may be on it. */
const RESERVE = 256 * 1024 * 1024;
const KEY = /^[0-9a-f-]{36}$/;

/**
 * Files in a folder: whole ones in `ab/KEY`, half ones in `uploads/KEY`, a part that comes in `uploads/KEY.UUID`. A part is
 * appended once it is all there and on the disk; a whole file gets its place by a rename.
 */
export function folderKeeper(folder: string): Keeper {
  const uploads = join(folder, "uploads");
  const half = (key: string) => join(uploads, checked(key));
  const whole = (key: string) => join(folder, checked(key).slice(0, 2), key);

  return {
    async begin(key) {
      await mkdir(uploads, { recursive: true });
      await (await open(half(key), "wx", 0o600)).close();
      return null;
    },

    async take({ key }, { offset, length }, body) {
      await refuseFull(uploads, length);
      const place = `${half(key)}.${randomUUID()}`;
      const drop = () => rm(place, { force: true });
      try {
        const bytes = await orFull(writePart(place, length, body));
        return {
          bytes,
          drop,
          add: () =>
            orFull(append(place, half(key), offset, bytes))
              .then(drop)
              .then(String),
        };
      } catch (error) {
        await drop();
        throw error;
      }
    },

    async complete({ key, size }) {
      const to = whole(key);
      if ((await sizeOf(to)) === size) return;
      const file = await open(half(key), "r+").catch(async (error) => {
        // Somebody else gave it its place in this very moment.
        if ((await sizeOf(to)) === size) return null;
        throw error;
      });
      if (!file) return;
      try {
        // What a writer that was killed left behind its last part.
        await file.truncate(size);
        await file.sync();
      } finally {
        await file.close();
      }
      await mkdir(join(to, ".."), { recursive: true });
      await rename(half(key), to).catch(async (error) => {
        if ((await sizeOf(to)) !== size) throw error;
      });
      await syncFolder(join(to, ".."));
    },

    async abandon({ key }) {
      await rm(half(key), { force: true });
    },

    async read(key, from, to) {
      const path = whole(key);
      if ((await sizeOf(path)) === null) throw new FileGone(key);
      return createReadStream(path, { start: from, end: to, highWaterMark: CHUNK });
    },

    async link() {
      return null;
    },

    async remove(key) {
      await rm(whole(key), { force: true });
    },

    async *halvesBefore(moment) {
      for (const name of await readdir(uploads).catch(() => [])) {
        const path = join(uploads, name);
        const at = await stat(path).then(
          ({ mtime }) => mtime,
          () => null,
        );
        if (!at || at >= moment) continue;
        if (KEY.test(name)) yield { key: name, ref: null };
        // A part whose writer was killed belongs to nobody.
        else await rm(path, { force: true });
      }
    },
  };
}

/** Keys are our own; a path is made of nothing else. */
function checked(key: string): string {
  if (!KEY.test(key)) throw new Error("not a key of ours");
  return key;
}

/** @returns how many bytes came, at most as many as announced */
async function writePart(place: string, most: number, body: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(place, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      const some = chunk.subarray(0, most - bytes);
      await writeAll(file, some, bytes);
      bytes += some.byteLength;
      if (bytes === most) break;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** Copies a part to its place, on the disk when this returns. Doing it again writes the same bytes over the same. */
async function append(place: string, to: string, offset: number, bytes: number): Promise<number> {
  const file = await open(to, "r+");
  try {
    let at = 0;
    for await (const chunk of createReadStream(place, { highWaterMark: CHUNK })) {
      await writeAll(file, chunk as Buffer, offset + at);
      at += (chunk as Buffer).byteLength;
    }
    await file.datasync();
    return bytes;
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength; )
    done += (await file.write(chunk, done, chunk.byteLength - done, position + done)).bytesWritten;
}

async function refuseFull(folder: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  // A part is there twice while it is appended.
  if (bavail * bsize < 2 * wanted + RESERVE) throw new StorageFull();
}

async function orFull<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOSPC" || error.code === "EDQUOT" ? new StorageFull() : error;
  });
}

async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
}

/** A new name is on the disk only once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
