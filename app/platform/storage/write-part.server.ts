import { type FileHandle, open, utimes } from "node:fs/promises";

/** How much of a file is read or written at once. */
const CHUNK = 1024 * 1024;

/**
 * Writes a chunk while the next one arrives: at most two chunks are in memory.
 * @returns how many bytes arrived, at most as many as announced
 */
export async function writePart(
  file: FileHandle,
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
): Promise<number> {
  let [bytes, written, buffered]: [number, number, Uint8Array[]] = [0, 0, []];
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = writeMany(file, buffered, written);
    buffered = [];
    written = bytes;
    // Its error surfaces where it is awaited.
    writing.catch(() => {});
  };
  try {
    for await (const chunk of body) {
      const some = chunk.subarray(0, maxBytes - bytes);
      buffered.push(some);
      bytes += some.byteLength;
      if (bytes - written >= CHUNK) await flush();
      if (bytes === maxBytes) break;
    }
    await flush();
    await writing;
    return bytes;
  } finally {
    await writing.catch(() => {});
  }
}

/**
 * Copies a part into its file, synced to disk when this returns. Repeating it writes the same bytes to the same
 * position.
 */
export async function appendPart(
  from: FileHandle,
  partPath: string,
  to: string,
  offset: number,
  bytes: number,
): Promise<number> {
  const file = await open(to, "r+");
  try {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, bytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.byteLength, bytes - at), at);
      if (bytesRead === 0) throw new Error("a part became shorter");
      await writeAll(file, chunk.subarray(0, bytesRead), offset + at);
      at += bytesRead;
      await utimes(partPath, new Date(), new Date()).catch(() => {});
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
  // A full disk writes less; the next write reports the error.
  if (bytesWritten < all)
    await writeAll(file, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten);
}
