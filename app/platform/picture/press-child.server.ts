/**
 * The process a picture is worked on in: `node press-child.server.ts PLACE`, the file on its standard input. Writes one line
 * of JSON, the `Pressed` without its bytes or `{failed}`, and the bytes after it. It has no environment and opens nothing:
 * what a hostile file could make of the reader's code ends here.
 */
import { buffer } from "node:stream/consumers";
import type { PicturePlace } from "#app/kit/files/pictures.ts";
import { press } from "#app/platform/picture/press.server.ts";
import { PressFailure } from "#app/platform/picture/pressed.ts";

/** Of memory, in bytes; looked at so often, in milliseconds. */
const MOST_MEMORY = 600 * 1024 * 1024;
const LOOKS = 20;

/** Whoever asked may have died; in milliseconds. */
const LONGEST = 60_000;
setTimeout(() => process.exit(1), LONGEST).unref();

let isTooMuch = false;
setInterval(() => {
  if (process.memoryUsage.rss() < MOST_MEMORY) return;
  isTooMuch = true;
  answer({ failed: "heavy" }, []);
}, LOOKS).unref();

function answer(head: object, bytes: Buffer[]) {
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...bytes]), () =>
    // At once: what libvips still does in its threads is not waited for.
    process.kill(process.pid, "SIGKILL"),
  );
}

try {
  const { bytes, ...pressed } = await press(await buffer(process.stdin), process.argv[2] as PicturePlace);
  if (!isTooMuch) answer(pressed, bytes);
} catch (error) {
  if (!(error instanceof PressFailure)) throw error;
  if (!isTooMuch) answer({ failed: error.kind }, []);
}
