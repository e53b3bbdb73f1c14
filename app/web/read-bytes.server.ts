import { Refusal } from "#app/kit/refusal.ts";

/** What a stranger's form or order may weigh, in bytes. */
export const STRANGERS_BODY = 64 * 1024;

/**
 * A request's body, of which no more than `max` bytes are ever held. What is too long is read to its end and let go: a
 * connection closed under a browser that is still sending would show it no answer. That has an end too.
 * @throws Refusal too-large
 */
export async function readBytes(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size <= max) chunks.push(chunk);
    else chunks.length = 0;
    if (size > PATIENCE) break;
  }
  if (size > max) throw new Refusal("too-large", "Os dados enviados são grandes demais");
  return new Uint8Array(Buffer.concat(chunks));
}

/** How much of what is too long is still read. */
const PATIENCE = 4 * 1024 * 1024;
