import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { PICTURE_FAILURES, type PicturePlace } from "#app/kit/files/pictures.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { type Pressed, PressFailure } from "#app/platform/picture/pressed.ts";

const CHILD = resolve("app/platform/picture/press-child.server.ts");
/** Nothing but reading files and the picture library: no writing, no other process, no code of its own making. */
const CONFINED = ["--permission", "--allow-fs-read=*", "--allow-addons", "--max-old-space-size=64"];
/** How long a picture may take, in milliseconds, and what all its sizes may weigh, in bytes. */
const PATIENCE = 45_000;
const MOST_ANSWERED = 8 * 1024 * 1024;

/**
 * A picture made ready by a process of its own, with limits of time and memory: what happens to that process happens to
 * nothing else.
 * @throws PressFailure where it is the picture's fault; Error where the process died of something else
 */
export async function pressPicture(source: AsyncIterable<Uint8Array>, place: PicturePlace): Promise<Pressed> {
  const child = spawn(process.execPath, [...CONFINED, CHILD, place], {
    // Nothing of ours: no secret, no address.
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let isLate = false;
  const end = () => child.kill("SIGKILL");
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, PATIENCE);
  try {
    // Whoever waits for a page goes first.
    if (child.pid) setPriority(child.pid, 5);
  } catch {
    // It is gone already.
  }
  try {
    const [answer, said] = await Promise.all([
      collect(child.stdout, MOST_ANSWERED),
      collect(child.stderr, 64 * 1024),
      feed(),
      new Promise((done, failed) => child.once("close", done).once("error", failed)),
    ]);
    if (isLate) throw new PressFailure("heavy");
    return read(answer, said.toString());
  } finally {
    clearTimeout(timer);
    end();
  }

  // A child that knows enough goes before it has read all.
  async function feed(): Promise<void> {
    await pipeline(Readable.from(source, { objectMode: false }), child.stdin).catch((error) => {
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  }
}

/** What the child tells: read as carefully as all that comes from outside. */
const size = z.int().min(1).max(10_000);
const told = z.union([
  z.object({ failed: z.enum(PICTURE_FAILURES) }),
  z.object({
    width: size,
    height: size,
    fallback: z.enum(["jpg", "png"]),
    isAnimated: z.boolean(),
    variants: z
      .array(
        z.object({
          width: size,
          height: size,
          format: z.enum(["avif", "webp", "jpg", "png"]),
          bytes: z.int().min(1).max(MOST_ANSWERED),
        }),
      )
      .min(1)
      .max(40),
  }),
]);

function read(answer: Buffer, said: string): Pressed {
  const at = answer.indexOf("\n");
  if (at === -1) throw new Error(`the process that prepares pictures died: ${said.slice(0, 2000)}`);
  const head = told.parse(parseOutside(answer.subarray(0, at).toString()));
  if ("failed" in head) throw new PressFailure(head.failed);
  let from = at + 1;
  const bytes = head.variants.map((variant) => {
    const begin = from;
    from += variant.bytes;
    return answer.subarray(begin, from);
  });
  if (from !== answer.byteLength) throw new Error("a picture's bytes broke off");
  return { ...head, bytes };
}

async function collect(stream: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size <= most) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
