import type { ServerResponse } from "node:http";
import { MINUTE } from "#app/kit/duration.ts";

/** A client that reads nothing for this long is disconnected; it can resume with a range. */
const STALL_TIMEOUT = 5 * MINUTE;

/** Streams waiting to write their next chunk, the longest waiting first. */
const waiting: (() => void)[] = [];

/**
 * Writes a stream into an answer, each chunk once the client received the last one. Of all files being sent only one
 * chunk is written per iteration of the event loop, so that pages and database results are handled in between, however
 * many files there are and however fast their readers. Ends the answer after the last chunk; stops if the client
 * leaves.
 */
export async function streamFile(source: AsyncIterable<Uint8Array>, answer: ServerResponse): Promise<void> {
  answer.setTimeout(STALL_TIMEOUT, () => answer.destroy());
  for await (const piece of source) {
    await waitForSlot();
    if (answer.destroyed) return;
    await writeChunk(answer, piece);
  }
  answer.end();
}

function waitForSlot(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext);
  });
}

function runNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(runNext);
}

/** Resolves when the socket accepted the chunk, or the client left. */
function writeChunk(answer: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      answer.off("close", settle);
      resolve();
    };
    answer.on("close", settle);
    answer.write(piece, settle);
  });
}
