import type { ServerResponse } from "node:http";
import { MINUTE } from "#app/kit/duration.ts";

/** A client that takes nothing for so long has left without a word; one that comes back asks for the rest. */
const STALLED = 5 * MINUTE;

/** Who waits to write the next piece of a file, the longest first. */
const waiting: (() => void)[] = [];

/**
 * Writes what comes into an answer, each piece once the client took the one before. Of all files that are sent one piece is
 * written a turn of the event loop: what else is due (a page, a database's answer) is done between two of them, however
 * many files there are and however fast their readers. Ends the answer after the last; where the client leaves, it stops.
 */
export async function pour(source: AsyncIterable<Uint8Array>, answer: ServerResponse): Promise<void> {
  answer.setTimeout(STALLED, () => answer.destroy());
  for await (const piece of source) {
    await turn();
    if (answer.destroyed) return;
    await written(answer, piece);
  }
  answer.end();
}

function turn(): Promise<void> {
  return new Promise((mine) => {
    if (waiting.push(mine) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/** Resolves when the socket has the piece, or the client left. */
function written(answer: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((done) => {
    const go = () => {
      answer.off("close", go);
      done();
    };
    answer.on("close", go);
    answer.write(piece, go);
  });
}
