import { resolve } from "node:path";
import { z } from "zod";
import { PICTURE_FAILURES, type PicturePlace } from "#app/kit/files/pictures.ts";
import { ConfinedLate, runConfined } from "#app/platform/confined/run-confined.server.ts";
import { type Pressed, PressFailure } from "#app/platform/picture/pressed.ts";

const CHILD = resolve("app/platform/picture/press-child.server.ts");
/** The picture library is no code of JavaScript's. */
const OPTIONS = ["--allow-addons", "--max-old-space-size=64"];
/** How long a picture may take, in milliseconds, and what all its sizes may weigh, in bytes. */
const PATIENCE = 45_000;
const MOST_ANSWERED = 8 * 1024 * 1024;

/**
 * A picture made ready in a process of its own.
 * @throws PressFailure where it is the picture's fault; Error where the process died of something else
 */
export async function pressPicture(source: AsyncIterable<Uint8Array>, place: PicturePlace): Promise<Pressed> {
  const program = { file: CHILD, options: OPTIONS, args: [place], patience: PATIENCE };
  try {
    return await runConfined(program, source, read);
  } catch (error) {
    throw error instanceof ConfinedLate ? new PressFailure("heavy") : error;
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

async function read(answer: unknown, rest: AsyncIterable<Uint8Array>): Promise<Pressed> {
  const head = told.parse(answer);
  if ("failed" in head) throw new PressFailure(head.failed);
  const whole = await collect(rest, MOST_ANSWERED);
  let from = 0;
  const bytes = head.variants.map((variant) => {
    const begin = from;
    from += variant.bytes;
    return whole.subarray(begin, from);
  });
  if (from !== whole.byteLength) throw new Error("a picture's bytes broke off");
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
