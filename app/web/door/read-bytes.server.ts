import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { currentResponse, piecesOf } from "#app/web/door/socket.server.ts";

/** What a stranger's form or order may weigh, in bytes. */
export const STRANGERS_BODY = 64 * 1024;
/** The same for a seller's long forms: 200,000 characters of HTML, of which one takes up to nine bytes as forms are sent. */
export const SELLERS_BODY = 2 * 1024 * 1024;

/**
 * A request's body, of which no more than `max` bytes are ever held. What is too long is read to its end and let go: a
 * connection closed under a browser that is still sending would show it no answer. That has an end too.
 * @throws Refusal too-large
 */
export async function readBytes(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of piecesOf(request) ?? request.body ?? []) {
      size += chunk.byteLength;
      if (size <= max) chunks.push(chunk);
      else chunks.length = 0;
      if (size > max + MOST_READ) break;
    }
  } catch {
    // Who left meanwhile hears nothing of it, and it is no failure of ours.
    throw new Refusal("invalid", "O envio foi interrompido. Tente de novo.");
  }
  if (size > max) throw new Refusal("too-large", "Os dados enviados são grandes demais");
  return new Uint8Array(Buffer.concat(chunks));
}

/** The request with its body read, of `max` bytes at most. @throws Refusal too-large */
export async function readWhole(request: Request, max: number): Promise<Request> {
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: await readBytes(request, max) });
}

/**
 * A request's body as it comes, for what never is in memory whole: `most` bytes at most, the rest is not asked for. A
 * connection that is cut ends it: who reads counts what came. So does the signal. Of a reader who gives up, the rest is let
 * go: a client that is still sending would not hear why.
 */
export async function* bodyOf(
  request: Request,
  most: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = most;
  const chunks = (piecesOf(request) ?? request.body ?? new Blob().stream())[Symbol.asyncIterator]();
  const take = async () => {
    const next = await chunks.next().catch(() => null);
    if (!next || next.done) return null;
    const some = next.value.subarray(0, left);
    left -= some.byteLength;
    return some;
  };
  const letGo = async () => {
    while (left > 0 && (await take()));
  };
  const stopped = whenAborted(signal);
  try {
    for (;;) {
      const some = left > 0 && !signal?.aborted ? await Promise.race([take(), ...stopped]) : null;
      if (!some) return;
      yield some;
    }
  } finally {
    if (!signal?.aborted) await letGo();
    else {
      endLater();
      void letGo();
    }
  }
}

function whenAborted(signal: AbortSignal | undefined): Promise<null>[] {
  if (!signal) return [];
  return [new Promise((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }))];
}

/** A client that holds back the rest of a body that nobody reads is not waited for. */
function endLater(): void {
  const message = currentResponse()?.req;
  setTimeout(() => message?.complete || message?.destroy(), LEAVE_WITHIN).unref();
}

const LEAVE_WITHIN = 10 * SECOND;

/** How much beyond what may come is still read. */
const MOST_READ = 4 * 1024 * 1024;
