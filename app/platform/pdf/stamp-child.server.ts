/**
 * The process a PDF is stamped in: `node stamp-child.server.ts WORDS FILE`, how many bytes of each come on its standard
 * input: the words as JSON, then the file. Writes one line of JSON, `{pages, bytes}` or `{failed}`, and that many bytes. It has no environment and opens nothing: what a hostile file
 * could make of the reader's code ends here. The work is done in a thread beside, so that somebody is awake to look.
 */
import { Worker } from "node:worker_threads";
import type { StampFailure } from "#app/kit/files/stamps.ts";
import { parseOutside } from "#app/kit/outside-json.ts";

/** What the thread tells when it is done. */
export type Done = { failed: StampFailure } | { pages: number; bytes: Uint8Array<ArrayBuffer> };

/** Of memory, in bytes; looked at so often, in milliseconds. */
const MOST_MEMORY = 700 * 1024 * 1024;
const MOST_OBJECTS_MB = 320;
const LOOKS = 20;

/** Whoever asked may have died; in milliseconds. */
const LONGEST = 60_000;
const tooLong = setTimeout(() => process.exit(1), LONGEST);

const [, , words = 0, file = 0] = process.argv.map(Number);
const given = new Uint8Array(words + file);
let came = 0;
for await (const chunk of process.stdin) {
  given.set(chunk, came);
  came += chunk.byteLength;
}
if (came !== given.byteLength) throw new Error("the file broke off");

const thread = new Worker(new URL("stamp-thread.server.ts", import.meta.url), {
  workerData: {
    source: given.subarray(words),
    words: parseOutside(Buffer.from(given.subarray(0, words)).toString()),
  },
  transferList: [given.buffer],
  resourceLimits: { maxOldGenerationSizeMb: MOST_OBJECTS_MB, maxYoungGenerationSizeMb: 32 },
});
const looks = setInterval(() => {
  if (process.memoryUsage.rss() > MOST_MEMORY) answer({ failed: "heavy" });
}, LOOKS);
thread.once("message", answer);
thread.once("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
  answer({ failed: "heavy" });
});

let isAnswered = false;
function answer(done: Done): void {
  if (isAnswered) return;
  isAnswered = true;
  clearInterval(looks);
  clearTimeout(tooLong);
  const bytes = "failed" in done ? new Uint8Array(0) : done.bytes;
  const head = "failed" in done ? done : { pages: done.pages, bytes: bytes.byteLength };
  process.stdout.write(`${JSON.stringify(head)}\n`);
  // At once: what the thread still does is not waited for.
  process.stdout.write(bytes, () => process.kill(process.pid, "SIGKILL"));
}
