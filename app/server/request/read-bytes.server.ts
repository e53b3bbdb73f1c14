import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { bodyChunksOf, currentResponse } from "#app/server/pipeline/socket-request.server.ts";

/** The largest form or order of a stranger, in bytes. */
export const MAX_PUBLIC_BODY = 64 * 1024;
/** The same for a seller's long forms: 200,000 characters of HTML, each up to nine bytes when encoded. */
export const MAX_SELLER_BODY = 2 * 1024 * 1024;

/**
 * Reads a request's body, holding at most `max` bytes. A longer one is read to its end, up to a limit, and discarded:
 * closing the connection under a browser that is still sending would hide the answer.
 * @throws Refusal too-large
 */
export async function readBytes(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bodyChunksOf(request) ?? request.body ?? []) {
      size += chunk.byteLength;
      if (size <= max) chunks.push(chunk);
      else chunks.length = 0;
      if (size > max + MAX_DRAINED) break;
    }
  } catch {
    // The client left and sees no answer; it is no failure of ours.
    throw new Refusal("invalid", "O envio foi interrompido. Tente de novo.");
  }
  if (size > max) throw new Refusal("too-large", "Os dados enviados são grandes demais");
  return new Uint8Array(Buffer.concat(chunks));
}

/** The request with its body read, at most `max` bytes. @throws Refusal too-large */
export async function bufferRequest(request: Request, max: number): Promise<Request> {
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: await readBytes(request, max) });
}

/**
 * Streams a request's body, for bodies that are never in memory as a whole: at most `max` bytes; the rest is not
 * requested. It ends when the connection is cut or the signal aborts, so the reader must count bytes. If the reader
 * stops, the rest is discarded: a client that is still sending would not see the reason.
 */
export async function* streamBody(
  request: Request,
  max: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let remaining = max;
  const chunks = (bodyChunksOf(request) ?? request.body ?? new Blob().stream())[Symbol.asyncIterator]();
  const readChunk = async () => {
    const next = await chunks.next().catch(() => null);
    if (!next || next.done) return null;
    const some = next.value.subarray(0, remaining);
    remaining -= some.byteLength;
    return some;
  };
  const drain = async () => {
    while (remaining > 0 && (await readChunk()));
  };
  const aborts = whenAborted(signal);
  try {
    for (;;) {
      const some = remaining > 0 && !signal?.aborted ? await Promise.race([readChunk(), ...aborts]) : null;
      if (!some) return;
      yield some;
    }
  } finally {
    if (!signal?.aborted) await drain();
    else {
      destroyLater();
      void drain();
    }
  }
}

function whenAborted(signal: AbortSignal | undefined): Promise<null>[] {
  if (!signal) return [];
  return [new Promise((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }))];
}

/** Does not wait for a client that never sends the rest of a body nobody reads. */
function destroyLater(): void {
  const message = currentResponse()?.req;
  setTimeout(() => message?.complete || message?.destroy(), DRAIN_TIMEOUT).unref();
}

const DRAIN_TIMEOUT = 10 * SECOND;

/** How much beyond the limit is still read and discarded. */
const MAX_DRAINED = 4 * 1024 * 1024;
