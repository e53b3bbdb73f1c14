import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type BlobStore,
  FileMissing,
  StorageFull,
  StorageUnavailable,
} from "#app/platform/storage/blob-store.ts";
import { describeFailures } from "#app/platform/storage/body-failures.ts";
import { readChunks } from "#app/platform/storage/read-chunks.server.ts";
import { reservePart } from "#app/platform/storage/reserve-part.server.ts";
import { appendPart, writePart } from "#app/platform/storage/write-part.server.ts";

/** The disk, the user's quota or the maximal file size is exhausted. */
const DISK_FULL_CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** The disk does not answer, or its server does not: its files still exist. */
const DISK_AWAY_CODES = new Set(["EIO", "ESTALE", "ENOTCONN", "ETIMEDOUT", "EHOSTDOWN", "EHOSTUNREACH"]);
const KEY = /^[0-9a-f-]{36}$/;

/**
 * Files in a folder: complete ones in `ab/KEY`, unfinished ones in `uploads/KEY`, a part being received in
 * `uploads/KEY.UUID`. A part is appended once it is complete and on the disk; a complete file is renamed.
 */
export function folderStore(folder: string): BlobStore {
  const uploads = join(folder, "uploads");
  const uploadPath = (key: string) => join(uploads, checkKey(key));
  const filePath = (key: string) => join(folder, checkKey(key).slice(0, 2), key);

  /** @returns its path */
  async function findFile(key: string): Promise<string> {
    const path = filePath(key);
    if ((await sizeOf(path)) !== null) return path;
    // A disk that is not mounted has no files, but none of them is lost.
    if ((await sizeOf(uploads)) === null) throw new StorageUnavailable("the folder of files is missing");
    throw new FileMissing(key);
  }

  return {
    isShared: false,

    async prepare() {
      await orStorageFull(mkdir(uploads, { recursive: true }));
    },

    async begin(key) {
      // A disk that is not mounted leaves an empty folder or none; one that was copied from elsewhere has complete
      // files.
      if ((await sizeOf(uploads)) === null) {
        if ((await readdir(folder).catch(() => [])).length === 0)
          throw new StorageUnavailable("the folder of files is empty, or not there");
        await orStorageFull(mkdir(uploads, { recursive: true }));
      }
      await (await orStorageFull(open(uploadPath(key), "wx", 0o600))).close();
      return null;
    },

    async receivePart({ key }, { offset, length }, body) {
      const partPath = `${uploadPath(key)}.${randomUUID()}`;
      const { file, release } = await orStorageFull(reservePart(partPath, length));
      try {
        const bytes = await orStorageFull(writePart(file, length, body));
        return {
          bytes,
          discard: release,
          commit: () =>
            orStorageFull(appendPart(file, partPath, uploadPath(key), offset, bytes))
              .then(release)
              .then(String),
        };
      } catch (error) {
        await release();
        throw error;
      }
    },

    async complete({ key, size }) {
      const to = filePath(key);
      if ((await sizeOf(to)) === size) return;
      const file = await open(uploadPath(key), "r+").catch(async (error) => {
        // Another process renamed it at this moment.
        if ((await sizeOf(to)) === size) return null;
        if ((await sizeOf(uploads)) === null)
          throw new StorageUnavailable("the folder of uploads is not there", { cause: error });
        throw error;
      });
      if (!file) return;
      try {
        // Removes what a killed writer left after its last complete part.
        await file.truncate(size);
        await file.sync();
      } finally {
        await file.close();
      }
      await orStorageFull(mkdir(join(to, ".."), { recursive: true }));
      await rename(uploadPath(key), to).catch(async (error) => {
        if ((await sizeOf(to)) !== size) throw error;
      });
      await syncFolder(join(to, ".."));
    },

    async abandon({ key }) {
      await rm(uploadPath(key), { force: true });
    },

    async read(key, from, to) {
      return describeFailures(readStream(await findFile(key), from, to), describeDiskFailure);
    },

    async readChunks(key, from, to) {
      return describeFailures(readChunks(await findFile(key), from, to), describeDiskFailure);
    },

    async link() {
      return null;
    },

    async remove(key) {
      // A disk that is not mounted still has the file: its row must stay, or nobody deletes it once the disk is back.
      const path = await findFile(key).catch((error) => {
        if (error instanceof FileMissing) return null;
        throw error;
      });
      if (path) await rm(path, { force: true });
    },

    async *unfinishedBefore(moment) {
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

/** A path is made only of our own keys. */
function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error("not a key of ours");
  return key;
}

async function orStorageFull<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    throw DISK_FULL_CODES.has(error.code ?? "") ? new StorageFull() : error;
  });
}

/** Opens the file once it is read: before that nobody would handle an error. */
async function* readStream(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { start: from, end: to });
}

function describeDiskFailure(error: unknown): unknown {
  return DISK_AWAY_CODES.has((error as NodeJS.ErrnoException).code ?? "")
    ? new StorageUnavailable("the disk does not answer", { cause: error })
    : error;
}

async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw describeDiskFailure(error);
    },
  );
}

/** A new name is durable only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
