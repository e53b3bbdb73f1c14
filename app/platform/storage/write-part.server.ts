import { type FileHandle, open, utimes } from "node:fs/promises";

/** How much of a file is read or written at once. */
const CHUNK = 1024 * 1024;

/**
 * Writes what comes while more of it comes: at most two chunks are in memory.
 * @returns how many bytes came, at most as many as announced
 */
export async function writePart(
  file: FileHandle,
  most: number,
  body: AsyncIterable<Uint8Array>,
): Promise<number> {
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
  }
}

/** Copies a part to its place, on the disk when this returns. Doing it again writes the same bytes over the same. */
export async function appendPart(
  from: FileHandle,
  place: string,
  to: string,
  offset: number,
  bytes: number,
): Promise<number> {
  const file = await open(to, "r+");
  try {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, bytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.byteLength, bytes - at), at);
      if (bytesRead === 0) throw new Error("a part is shorter than it was");
      await writeAll(file, chunk.subarray(0, bytesRead), offset + at);
      at += bytesRead;
      await utimes(place, new Date(), new Date()).catch(() => {});
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

async function writeMany(file: FileHandle, chunks: Uint8Array[], position: number): Promise<void> {
  if (chunks.length === 0) return;
  const { bytesWritten } = await file.writev(chunks, position);
  const all = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  // Less where the disk is full in the middle: going on says so.
  if (bytesWritten < all)
    await writeAll(file, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten);
}
