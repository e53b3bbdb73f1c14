const BODY = Symbol("body");
const GZIPPED = Symbol("gzipped");
type Body = string | Uint8Array<ArrayBuffer>;
type DirectResponse = Response & { [BODY]?: Body; [GZIPPED]?: Uint8Array<ArrayBuffer> };

/**
 * An answer whose body exists already. The pipeline sends it as it is: reading the stream that every web `Response`
 * makes of its body takes a third of a light answer's time, and its remains survive a young-generation collection.
 * @param gzipped the same body compressed, which the pipeline sends to clients that accept it; elsewhere the server compresses
 */
export function bufferedResponse(
  body: Body,
  init: ResponseInit,
  gzipped?: Uint8Array<ArrayBuffer> | null,
): Response {
  const answer: DirectResponse = new Response(body, init);
  answer[BODY] = body;
  if (gzipped) answer[GZIPPED] = gzipped;
  return answer;
}

/** The body of a complete answer; undefined if it is a stream. */
export function bufferedBody(answer: Response): Body | undefined {
  return (answer as DirectResponse)[BODY];
}

/** The compressed body of a complete answer, where it has one. */
export function gzippedBody(answer: Response): Uint8Array | undefined {
  return (answer as DirectResponse)[GZIPPED];
}
