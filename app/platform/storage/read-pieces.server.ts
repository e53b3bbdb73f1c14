import { open } from "node:fs/promises";

/** How much is read at once: there may be hundreds, each at its own pace. */
const PIECE = 256 * 1024;

/**
 * A stretch of a file, its last byte included, in one buffer that is filled again and again: one for each piece would have
 * the collector walk the whole heap many times a second. So a piece holds only until the next is asked for.
 */
export async function* readPieces(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, to - from + 1));
    for (let at = from; at <= to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.byteLength, to - at + 1), at);
      if (bytesRead === 0) throw new Error("a file is shorter than it was");
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
