import { Refusal } from "#app/kit/refusal.ts";
import { concurrencyLimiter } from "#app/platform/concurrency-limiter.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { readByteRange } from "#app/server/files/byte-range.ts";
import { currentResponse, onResponseClose } from "#app/server/pipeline/socket-request.server.ts";
import { pullStream } from "#app/server/response/pull-stream.server.ts";

/**
 * Concurrent file answers per sale: each holds a chunk until its client reads it. A download manager opens up to
 * sixteen.
 */
const MAX_PER_SALE = 20;
const acquireSlot = concurrencyLimiter(MAX_PER_SALE);
const RETRY_AFTER_SECONDS = 30;

/**
 * An immutable file for the buyer of `saleId`; `tag` identifies its bytes. `read` takes an inclusive end; a chunk is
 * valid only until the next.
 */
export type SentFile = {
  saleId: string;
  tag: string;
  name: string;
  size: number;
  contentType: string;
  modifiedAt: Date;
  read: (from: number, to: number) => Promise<AsyncIterable<Uint8Array>>;
  /** Called once the first bytes are available and before they are sent; an error it throws is answered instead. */
  countDownload: () => Promise<void>;
};

/**
 * Sends a file or a range of it, as a download that is never displayed: a displayed one could use our cookies. Not
 * compressed, since ranges count the file's own bytes.
 * @throws Refusal too-many if too many answers of this sale are in flight
 */
export async function sendFile(request: Request, file: SentFile): Promise<Response> {
  const etag = `"${file.tag}"`;
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Content-Disposition": attachmentDisposition(file.name),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache, no-transform",
    "Referrer-Policy": "no-referrer",
    "Last-Modified": file.modifiedAt.toUTCString(),
    ETag: etag,
  });
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((each) => [etag, `W/${etag}`, "*"].includes(each.trim())))
    return new Response(null, { status: 304, headers });
  const range = canResume(request, file, etag)
    ? readByteRange(request.headers.get("range"), file.size)
    : null;
  if (range === "none") {
    headers.set("Content-Range", `bytes */${file.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { from, to } = range ?? { from: 0, to: file.size - 1 };
  headers.set("Content-Length", String(to - from + 1));
  if (range) headers.set("Content-Range", `bytes ${from}-${to}/${file.size}`);
  const init = { status: range ? 206 : 200, headers };
  if (request.method === "HEAD") return new Response(null, init);
  return startDownload(file, () => file.read(from, to), init);
}

/** Whether the client's partial copy is of the same file; otherwise it gets the whole file. */
function canResume(request: Request, { modifiedAt }: SentFile, etag: string): boolean {
  const ifRange = request.headers.get("if-range")?.trim();
  if (!ifRange) return true;
  return ifRange.startsWith('"')
    ? ifRange === etag
    : Date.parse(ifRange) === Math.floor(modifiedAt.getTime() / 1000) * 1000;
}

async function startDownload(
  { saleId, countDownload }: SentFile,
  read: () => Promise<AsyncIterable<Uint8Array>>,
  init: ResponseInit,
): Promise<Response> {
  const release = acquireSlot(saleId);
  if (!release)
    throw new Refusal(
      "too-many",
      "Já há downloads demais desta compra ao mesmo tempo. Espere um deles terminar e tente de novo.",
      undefined,
      RETRY_AFTER_SECONDS,
    );
  onResponseClose(release);
  const body = await readCounted(read, countDownload).catch((error: unknown) => {
    release();
    throw error;
  });
  return new Response(pullStream(body[Symbol.asyncIterator](), toSentBytes), init);
}

/** Longer than what a response buffers: it asks for the next chunk only once such a one has left. */
const UNBUFFERED = 128 * 1024;

/** A chunk as it is sent: a copy where the next may overwrite it before it has left. */
function toSentBytes(chunk: Uint8Array): Uint8Array {
  return currentResponse() && chunk.byteLength >= UNBUFFERED ? chunk : new Uint8Array(chunk);
}

/** Counts a download only if the storage can deliver it; the stream is closed if the count refuses. */
async function readCounted(
  read: () => Promise<AsyncIterable<Uint8Array>>,
  countDownload: SentFile["countDownload"],
) {
  const body = await read();
  try {
    await countDownload();
  } catch (error) {
    await body[Symbol.asyncIterator]().return?.();
    throw error;
  }
  return body;
}
