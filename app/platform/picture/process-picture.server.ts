import { resolve } from "node:path";
import { z } from "zod";
import { PICTURE_FAILURES, type PictureUse } from "#app/kit/files/pictures.ts";
import { runConfined } from "#app/platform/confined/run-confined.server.ts";
import { type EncodedPicture, PictureError } from "#app/platform/picture/encoded-picture.ts";

const CHILD = resolve("app/platform/picture/encode-child.server.ts");
/** The picture library is a native addon. */
const OPTIONS = ["--allow-addons", "--max-old-space-size=64"];
/** What a picture may cost, in milliseconds of processor time and on a clock; a phone's photo takes five seconds. */
const LIMITS = { processorMs: 45_000, clockMs: 75_000 };
/** The limit of all its sizes together, in bytes. */
const MAX_OUTPUT = 8 * 1024 * 1024;

/**
 * Encodes a picture in a process of its own.
 * @throws PictureError if the picture is at fault; Error if the process died of something else, or got too little
 * processor time
 */
export async function processPicture(
  source: AsyncIterable<Uint8Array>,
  use: PictureUse,
  { processorMs, clockMs } = LIMITS,
): Promise<EncodedPicture> {
  const args = [use, String(processorMs)];
  return runConfined({ file: CHILD, options: OPTIONS, args, timeoutMs: clockMs }, source, readOutput);
}

/** The child's output, validated like any outside input. */
const size = z.int().min(1).max(10_000);
const outcomeSchema = z.union([
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
          bytes: z.int().min(1).max(MAX_OUTPUT),
        }),
      )
      .min(1)
      .max(40),
  }),
]);

async function readOutput(answer: unknown, rest: AsyncIterable<Uint8Array>): Promise<EncodedPicture> {
  const head = outcomeSchema.parse(answer);
  if ("failed" in head) throw new PictureError(head.failed);
  const whole = await collect(rest, MAX_OUTPUT);
  let offset = 0;
  const bytes = head.variants.map((variant) => {
    const begin = offset;
    offset += variant.bytes;
    return whole.subarray(begin, offset);
  });
  if (offset !== whole.byteLength) throw new Error("a picture's bytes broke off");
  return { ...head, bytes };
}

async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
