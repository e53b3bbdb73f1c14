/**
 * The process a picture is encoded in: `node encode-child.server.ts USE LIMIT`, the limit in milliseconds of processor
 * time, the file on its standard input. Writes one line of JSON, the `EncodedPicture` without its bytes or `{failed}`, and
 * the bytes after it. It has no environment and opens nothing, which confines what a hostile file could do.
 */
import { buffer } from "node:stream/consumers";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { processorTime } from "#app/platform/confined/processor-time.server.ts";
import { encodePicture } from "#app/platform/picture/encode-picture.server.ts";
import { PictureError } from "#app/platform/picture/encoded-picture.ts";

const [, , use, maxProcessorMs] = process.argv;
/** Memory limit in bytes, and how often both limits are checked, in milliseconds. */
const MAX_MEMORY = 600 * 1024 * 1024;
const CHECK_INTERVAL_MS = 20;

/** The parent may have died; in milliseconds. */
const MAX_RUNTIME_MS = 80_000;
setTimeout(() => process.exit(1), MAX_RUNTIME_MS).unref();

let isOverLimit = false;
setInterval(() => {
  if (process.memoryUsage.rss() < MAX_MEMORY && processorTime() < Number(maxProcessorMs)) return;
  isOverLimit = true;
  respond({ failed: "heavy" }, []);
}, CHECK_INTERVAL_MS).unref();

function respond(head: object, bytes: Buffer[]) {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...bytes]), () =>
    // Kills at once instead of waiting for the threads of libvips.
    process.kill(process.pid, "SIGKILL"),
  );
}

try {
  const { bytes, ...encoded } = await encodePicture(await buffer(process.stdin), use as PictureUse);
  if (!isOverLimit) respond(encoded, bytes);
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  if (!isOverLimit) respond({ failed: error.kind }, []);
}
