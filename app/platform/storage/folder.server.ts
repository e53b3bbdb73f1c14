import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileGone, type Keeper, StorageAway, StorageFull } from "#app/platform/storage/keeper.ts";
import { readPieces } from "#app/platform/storage/read-pieces.server.ts";
import { reservePart } from "#app/platform/storage/reserve-part.server.ts";
import { appendPart, writePart } from "#app/platform/storage/write-part.server.ts";

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
    isShared: false,

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
      const place = `${half(key)}.${randomUUID()}`;
      const { file, release } = await orFull(reservePart(place, length));
      try {
        const bytes = await orFull(writePart(file, length, body));
        return {
          bytes,
          drop: release,
          add: () =>
            orFull(appendPart(file, place, half(key), offset, bytes))
              .then(release)
              .then(String),
        };
      } catch (error) {
        await release();
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
