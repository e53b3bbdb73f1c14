import { pullStream } from "#app/server/response/pull-stream.server.ts";

const BODY = Symbol("body");
const CHUNKS = Symbol("chunks");
type Body = string | Uint8Array<ArrayBuffer>;
type DirectResponse = Response & { [BODY]?: Body; [CHUNKS]?: AsyncIterable<Uint8Array> };

/**
 * An answer whose body exists already. The pipeline sends it as it is: reading the stream that every web `Response`
 * makes of its body takes a third of a light answer's time, and its remains survive a young-generation collection.
 */
export function bufferedResponse(body: Body, init: ResponseInit): Response {
  const answer: DirectResponse = new Response(body, init);
  answer[BODY] = body;
  return answer;
}

/** The body of a complete answer; undefined if it is a stream. */
export function bufferedBody(answer: Response): Body | undefined {
  return (answer as DirectResponse)[BODY];
}

/**
 * An answer made of a file's chunks, each of which may be overwritten by the next. Any server can send its body; the
 * pipeline writes the chunks themselves, since a web stream doubles the processor time of a long file.
 */
export function chunkedResponse(chunks: AsyncIterable<Uint8Array>, init: ResponseInit): Response {
  const iterator = chunks[Symbol.asyncIterator]();
  // A copy, since the next chunk may overwrite it.
  const body = pullStream(iterator, (chunk) => chunk.slice());
  const answer: DirectResponse = new Response(body, init);
  answer[CHUNKS] = { [Symbol.asyncIterator]: () => iterator };
  return answer;
}

/** The chunks of an answer made by `chunkedResponse`. */
export function responseChunks(answer: Response): AsyncIterable<Uint8Array> | undefined {
  return (answer as DirectResponse)[CHUNKS];
}
