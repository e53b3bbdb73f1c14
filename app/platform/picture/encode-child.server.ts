/**
 * The process a picture is encoded in: `node encode-child.server.ts USE`, the file on its standard input. Writes one
 * line of JSON, the `EncodedPicture` without its bytes or `{failed}`, and the bytes after it. It has no environment and
 * opens nothing, which confines what a hostile file could do.
 */
import { buffer } from "node:stream/consumers";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { encodePicture } from "#app/platform/picture/encode-picture.server.ts";
import { PictureError } from "#app/platform/picture/encoded-picture.ts";

/** Memory limit in bytes, and how often it is checked, in milliseconds. */
const MAX_MEMORY = 600 * 1024 * 1024;
const CHECK_INTERVAL_MS = 20;

/** The parent may have died; in milliseconds. */
const MAX_RUNTIME_MS = 60_000;
setTimeout(() => process.exit(1), MAX_RUNTIME_MS).unref();

let isOverMemory = false;
setInterval(() => {
  if (process.memoryUsage.rss() < MAX_MEMORY) return;
  isOverMemory = true;
  respond({ failed: "heavy" }, []);
}, CHECK_INTERVAL_MS).unref();

function respond(head: object, bytes: Buffer[]) {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...bytes]), () =>
    // Kills at once instead of waiting for the threads of libvips.
    process.kill(process.pid, "SIGKILL"),
  );
}

try {
  const { bytes, ...encoded } = await encodePicture(
    await buffer(process.stdin),
    process.argv[2] as PictureUse,
  );
  if (!isOverMemory) respond(encoded, bytes);
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  if (!isOverMemory) respond({ failed: error.kind }, []);
}
