import { open } from "node:fs/promises";

/** How much is read at once: there may be hundreds of readers, each at its own speed. */
const CHUNK_SIZE = 256 * 1024;

/** A range of a file, `to` inclusive. */
export async function* readChunks(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    for (let at = from; at <= to; ) {
      const length = Math.min(CHUNK_SIZE, to - at + 1);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at);
      if (bytesRead === 0) throw new Error("a file became shorter");
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
