import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { FileGone, type Keeper, StorageAway, StorageFull } from "#app/platform/storage/keeper.ts";
import { readPieces } from "#app/platform/storage/read-pieces.server.ts";

/** How much of a file is read or written at once. */
const CHUNK = 1024 * 1024;
/** What is left free for everything else on the disk: the database may be on it. */
const RESERVE = 256 * 1024 * 1024;
/** On the disk, in what this user may fill, or in the largest file that may be written. */
const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const KEY = /^[0-9a-f-]{36}$/;

/**
 * Files in a folder: whole ones in `ab/KEY`, half ones in `uploads/KEY`, a part that comes in `uploads/KEY.UUID`. A part is
 * appended once it is all there and on the disk; a whole file gets its place by a rename.
 */
export function folderKeeper(folder: string): Keeper {
  const uploads = join(folder, "uploads");
  const half = (key: string) => join(uploads, checked(key));
  const whole = (key: string) => join(folder, checked(key).slice(0, 2), key);

  /** @returns its path */
  async function found(key: string): Promise<string> {
    const path = whole(key);
    if ((await sizeOf(path)) !== null) return path;
    // A disk that is not mounted holds none of its files, and none of them is lost.
    if ((await sizeOf(uploads)) === null) throw new StorageAway("the folder of files is not there");
    throw new FileGone(key);
  }

  return {
    async prepare() {
      await orFull(mkdir(uploads, { recursive: true }));
    },

    async begin(key) {
      // A disk that is not mounted leaves an empty folder, or none; one that was copied from elsewhere has whole files.
      if ((await sizeOf(uploads)) === null) {
        if ((await readdir(folder).catch(() => [])).length === 0)
          throw new StorageAway("the folder of files is empty, or not there");
        await orFull(mkdir(uploads, { recursive: true }));
      }
      await (await orFull(open(half(key), "wx", 0o600))).close();
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
        if ((await sizeOf(uploads)) === null)
          throw new StorageAway("the folder of uploads is not there", { cause: error });
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
      await orFull(mkdir(join(to, ".."), { recursive: true }));
      await rename(half(key), to).catch(async (error) => {
        if ((await sizeOf(to)) !== size) throw error;
      });
      await syncFolder(join(to, ".."));
    },

    async abandon({ key }) {
      await rm(half(key), { force: true });
    },

    async read(key, from, to) {
      return createReadStream(await found(key), { start: from, end: to });
    },

    async pieces(key, from, to) {
      return readPieces(await found(key), from, to);
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

/**
 * Writes what comes while more of it comes: at most two chunks are in memory.
 * @returns how many bytes came, at most as many as announced
 */
async function writePart(place: string, most: number, body: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(place, "wx", 0o600);
  let [bytes, written, gathered]: [number, number, Uint8Array[]] = [0, 0, []];
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = writeMany(file, gathered, written);
    gathered = [];
    written = bytes;
    // It is told when it is waited for.
    writing.catch(() => {});
  };
  try {
    for await (const chunk of body) {
      const some = chunk.subarray(0, most - bytes);
      gathered.push(some);
      bytes += some.byteLength;
      if (bytes - written >= CHUNK) await flush();
      if (bytes === most) break;
    }
    await flush();
    await writing;
    return bytes;
  } finally {
    await writing.catch(() => {});
    await file.close();
  }
}

/** Copies a part to its place, on the disk when this returns. Doing it again writes the same bytes over the same. */
async function append(place: string, to: string, offset: number, bytes: number): Promise<number> {
  const from = await open(place, "r");
  const file = await open(to, "r+").catch(async (error) => {
    await from.close();
    throw error;
  });
  try {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, bytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.byteLength, bytes - at), at);
      if (bytesRead === 0) throw new Error("a part is shorter than it was");
      await writeAll(file, chunk.subarray(0, bytesRead), offset + at);
      at += bytesRead;
    }
    await file.datasync();
    return bytes;
  } finally {
    await Promise.all([from.close(), file.close()]);
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength; )
    done += (await file.write(chunk, done, chunk.byteLength - done, position + done)).bytesWritten;
}

async function writeMany(file: FileHandle, chunks: Uint8Array[], position: number): Promise<void> {
  if (chunks.length === 0) return;
  const { bytesWritten } = await file.writev(chunks, position);
  const all = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  // Less where the disk is full in the middle: going on says so.
  if (bytesWritten < all)
    await writeAll(file, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten);
}

async function refuseFull(folder: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((cause) => {
    throw new StorageAway("the folder of uploads is not there", { cause });
  });
  // A part is there twice while it is appended.
  if (bavail * bsize < 2 * wanted + RESERVE) throw new StorageFull();
}

async function orFull<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    throw NO_ROOM.has(error.code ?? "") ? new StorageFull() : error;
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
