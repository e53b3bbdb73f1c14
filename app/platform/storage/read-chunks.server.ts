import { open } from "node:fs/promises";

/** How much is read at once: there may be hundreds of readers, each at its own speed. */
const CHUNK_SIZE = 256 * 1024;

/**
 * A range of a file, `to` inclusive, in one buffer that is reused: a new one per chunk, whose memory the system must clear and
 * the collector must free, makes a download cost three times the processor time. So a chunk is valid only until the next is
 * requested.
 */
export async function* readChunks(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_SIZE, to - from + 1));
    for (let at = from; at <= to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.byteLength, to - at + 1), at);
      if (bytesRead === 0) throw new Error("a file became shorter");
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
