import { Refusal } from "#app/kit/refusal.ts";
import { places } from "#app/platform/places.ts";
import { currentResponse } from "#app/web/door/socket.server.ts";
import { answerInPieces } from "#app/web/door/whole-answer.server.ts";
import { attachment } from "#app/web/files/attachment.ts";
import { readByteRange } from "#app/web/files/byte-range.ts";

/**
 * So many answers at once with files of one purchase: each holds a piece of its file until its client takes
 * it. A download program opens up to sixteen.
 */
const OF_A_SALE = 20;
const takePlace = places(OF_A_SALE);
const COME_BACK = 30;

/**
 * A file that does not change, for the buyer of `saleId`: `tag` names these very bytes. `read` has the last byte included;
 * what it yields is gone with the next.
 */
export type SentFile = {
  saleId: string;
  tag: string;
  name: string;
  size: number;
  contentType: string;
  at: Date;
  read: (from: number, to: number) => Promise<AsyncIterable<Uint8Array>>;
  /** Called once its bytes are at hand and before the first of them goes; what it throws is answered in their place. */
  count: () => Promise<void>;
};

/**
 * Answers with a file, or the stretch of it that was asked for, to be saved and never shown: our pages' cookies would be
 * its own. No compression: a stretch is of the file's bytes.
 * @throws Refusal too-many where too many answers of this purchase are under way
 */
export async function sendFile(request: Request, file: SentFile): Promise<Response> {
  const etag = `"${file.tag}"`;
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Content-Disposition": attachment(file.name),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache, no-transform",
    "Referrer-Policy": "no-referrer",
    "Last-Modified": file.at.toUTCString(),
    ETag: etag,
  });
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((each) => [etag, `W/${etag}`, "*"].includes(each.trim())))
    return new Response(null, { status: 304, headers });
  const range = goesOn(request, file, etag) ? readByteRange(request.headers.get("range"), file.size) : null;
  if (range === "none") {
    headers.set("Content-Range", `bytes */${file.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { from, to } = range ?? { from: 0, to: file.size - 1 };
  headers.set("Content-Length", String(to - from + 1));
  if (range) headers.set("Content-Range", `bytes ${from}-${to}/${file.size}`);
  const init = { status: range ? 206 : 200, headers };
  if (request.method === "HEAD") return new Response(null, init);
  return inPieces(file, () => file.read(from, to), init);
}

/** Whether what the client has is of the same file: else it is sent the whole. */
function goesOn(request: Request, { at }: SentFile, etag: string): boolean {
  const asked = request.headers.get("if-range")?.trim();
  if (!asked) return true;
  return asked.startsWith('"')
    ? asked === etag
    : Date.parse(asked) === Math.floor(at.getTime() / 1000) * 1000;
}

async function inPieces(
  { saleId, count }: SentFile,
  read: () => Promise<AsyncIterable<Uint8Array>>,
  init: ResponseInit,
): Promise<Response> {
  const leave = takePlace(saleId);
  if (!leave)
    throw new Refusal(
      "too-many",
      "Já há downloads demais desta compra ao mesmo tempo. Espere um deles terminar e tente de novo.",
      undefined,
      COME_BACK,
    );
  currentResponse()?.once("close", leave);
  const body = await counted(read, count).catch((error: unknown) => {
    leave();
    throw error;
  });
  return answerInPieces(body, init);
}

/** Nothing is counted that the storage cannot give; what may not be given is let go again. */
async function counted(read: () => Promise<AsyncIterable<Uint8Array>>, count: SentFile["count"]) {
  const body = await read();
  try {
    await count();
  } catch (error) {
    await body[Symbol.asyncIterator]().return?.();
    throw error;
  }
  return body;
}
