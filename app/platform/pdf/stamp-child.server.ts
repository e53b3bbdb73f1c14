/**
 * The process a PDF is stamped in: `node stamp-child.server.ts TEXT FILE LIMIT`, the byte lengths of the two parts of its
 * standard input, the text as JSON, then the file; and a limit in milliseconds of processor time. Writes one line of JSON,
 * `{pages, bytes}` or `{failed}`, and that many bytes. It has no environment and opens nothing, which confines what a
 * hostile file could do. The work runs in a thread, so that the main thread can watch memory and time.
 */
import { Worker } from "node:worker_threads";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { processorTime } from "#app/platform/confined/processor-time.server.ts";
import type { StampOutcome } from "#app/platform/pdf/stamp-thread.server.ts";

/** Memory limit in bytes, and how often both limits are checked, in milliseconds. */
const MAX_MEMORY = 700 * 1024 * 1024;
const MAX_HEAP_MB = 320;
const CHECK_INTERVAL_MS = 20;

/** The parent may have died; in milliseconds. */
const MAX_RUNTIME_MS = 80_000;
const deadline = setTimeout(() => process.exit(1), MAX_RUNTIME_MS);

const [, , textLength = 0, fileLength = 0, maxProcessorMs = 0] = process.argv.map(Number);
const input = new Uint8Array(textLength + fileLength);
let received = 0;
for await (const chunk of process.stdin) {
  input.set(chunk, received);
  received += chunk.byteLength;
}
if (received !== input.byteLength) throw new Error("the file broke off");

const thread = new Worker(new URL("stamp-thread.server.ts", import.meta.url), {
  workerData: {
    source: input.subarray(textLength),
    text: parseUntrusted(Buffer.from(input.subarray(0, textLength)).toString()),
  },
  transferList: [input.buffer],
  resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
});
const memoryCheck = setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY || processorTime() > maxProcessorMs)
    respond({ failed: "heavy" });
}, CHECK_INTERVAL_MS);
thread.once("message", respond);
thread.once("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
  respond({ failed: "heavy" });
});

let hasResponded = false;
function respond(outcome: StampOutcome): void {
  if (hasResponded) return;
  hasResponded = true;
  clearInterval(memoryCheck);
  clearTimeout(deadline);
  const bytes = "failed" in outcome ? new Uint8Array(0) : outcome.bytes;
  const head = "failed" in outcome ? outcome : { pages: outcome.pages, bytes: bytes.byteLength };
  process.stdout.write(`${JSON.stringify(head)}\n`);
  // Kills at once instead of waiting for the thread.
  process.stdout.write(bytes, () => process.kill(process.pid, "SIGKILL"));
}
