import { resolve } from "node:path";
import { z } from "zod";
import { MAX_STAMP_PAGES, STAMP_FAILURES } from "#app/kit/files/stamp-limits.ts";
import { runConfined } from "#app/platform/confined/run-confined.server.ts";
import type { StampText } from "#app/platform/pdf/render-stamp.server.ts";
import { StampError } from "#app/platform/pdf/stamp-error.ts";

const CHILD = resolve("app/platform/pdf/stamp-child.server.ts");
/** The work runs in a thread, which has the same permissions as the process. */
const OPTIONS = ["--allow-worker", "--no-warnings"];
/** What stamping may cost, in milliseconds of processor time and on a clock: 500 pages take a second or two. */
const LIMITS = { processorMs: 30_000, clockMs: 75_000 };
/** A stamp adds little; a file that grows beyond this is hostile. */
const MAX_OUTPUT = 200_000_000;

const outcomeSchema = z.union([
  z.object({ failed: z.enum(STAMP_FAILURES) }),
  z.object({
    pages: z.int().min(1).max(MAX_STAMP_PAGES),
    bytes: z.int().min(1).max(MAX_OUTPUT),
  }),
]);

/**
 * Stamps a PDF of `size` bytes in a process of its own. The output is never held in memory: it is passed on as a stream
 * of exactly `size` bytes, or an error.
 * @throws StampError if the PDF is at fault; Error if the process died of something else, or got too little processor time
 */
export async function stampInChildProcess<T>(
  source: AsyncIterable<Uint8Array>,
  size: number,
  stampText: StampText,
  consume: (stamped: { pages: number; size: number; bytes: AsyncIterable<Uint8Array> }) => Promise<T>,
  { processorMs, clockMs } = LIMITS,
): Promise<T> {
  // Not as an argument: every user of the machine can read those.
  const textBytes = Buffer.from(JSON.stringify(stampText));
  const args = [textBytes.byteLength, size, processorMs].map(String);
  const program = { file: CHILD, options: OPTIONS, args, timeoutMs: clockMs };
  return runConfined(program, concatenate(textBytes, source), async (answer, rest) => {
    const head = outcomeSchema.parse(answer);
    if ("failed" in head) throw new StampError(head.failed);
    return consume({ pages: head.pages, size: head.bytes, bytes: requireLength(head.bytes, rest) });
  });
}

async function* concatenate(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first;
  yield* rest;
}

async function* requireLength(size: number, bytes: AsyncIterable<Uint8Array>) {
  let received = 0;
  for await (const chunk of bytes) {
    received += chunk.byteLength;
    yield chunk;
  }
  if (received !== size) throw new Error("a stamped PDF broke off");
}
