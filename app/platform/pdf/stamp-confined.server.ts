import { resolve } from "node:path";
import { z } from "zod";
import { MOST_STAMP_PAGES, STAMP_FAILURES } from "#app/kit/files/stamps.ts";
import { ConfinedLate, runConfined } from "#app/platform/confined/run-confined.server.ts";
import type { StampWords } from "#app/platform/pdf/stamp.server.ts";
import { StampRefused } from "#app/platform/pdf/stamp-refused.ts";

const CHILD = resolve("app/platform/pdf/stamp-child.server.ts");
/** The work is done in a thread, which may no more than the process may. */
const OPTIONS = ["--allow-worker", "--no-warnings"];
/** How long stamping may take, in milliseconds: 500 pages take a second or two. */
const PATIENCE = 30_000;
/** A stamp adds little; a file that grows beyond this was made to. */
const MOST_ANSWERED = 200_000_000;

const answered = z.union([
  z.object({ failed: z.enum(STAMP_FAILURES) }),
  z.object({
    pages: z.int().min(1).max(MOST_STAMP_PAGES),
    bytes: z.int().min(1).max(MOST_ANSWERED),
  }),
]);

/**
 * Stamps a PDF of `size` bytes in a process of its own. What comes out is never in our memory: `keep` reads it as it comes,
 * all of its `size` bytes or an error.
 * @throws StampRefused where it is the PDF's fault; Error where the process died of something else
 */
export async function stampConfined<T>(
  source: AsyncIterable<Uint8Array>,
  size: number,
  words: StampWords,
  keep: (stamped: { pages: number; size: number; bytes: AsyncIterable<Uint8Array> }) => Promise<T>,
): Promise<T> {
  // Not as an argument: those are seen by everybody on the machine.
  const told = Buffer.from(JSON.stringify(words));
  const args = [told.byteLength, size].map(String);
  const program = { file: CHILD, options: OPTIONS, args, patience: PATIENCE };
  try {
    return await runConfined(program, both(told, source), async (answer, rest) => {
      const head = answered.parse(answer);
      if ("failed" in head) throw new StampRefused(head.failed);
      return keep({ pages: head.pages, size: head.bytes, bytes: exactly(head.bytes, rest) });
    });
  } catch (error) {
    throw error instanceof ConfinedLate ? new StampRefused("heavy") : error;
  }
}

async function* both(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first;
  yield* rest;
}

async function* exactly(size: number, bytes: AsyncIterable<Uint8Array>) {
  let came = 0;
  for await (const chunk of bytes) {
    came += chunk.byteLength;
    yield chunk;
  }
  if (came !== size) throw new Error("a stamped PDF broke off");
}
