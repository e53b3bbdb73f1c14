import { currentResponse, hasRoom } from "#app/web/door/socket.server.ts";

const BODY = Symbol("body");
const PIECES = Symbol("pieces");
type Body = string | Uint8Array<ArrayBuffer>;
type Direct = Response & { [BODY]?: Body; [PIECES]?: AsyncIterable<Uint8Array> };

/**
 * An answer whose body is there already. The door sends it as it is: reading the stream that every web `Response` makes of
 * its body costs a light answer a third of its time, and V8 keeps what is left of it beyond a quick collection.
 */
export function wholeAnswer(body: Body, init: ResponseInit): Response {
  const answer: Direct = new Response(body, init);
  answer[BODY] = body;
  return answer;
}

/** The body of an answer that is whole; undefined where it comes as a stream. */
export function wholeBody(answer: Response): Body | undefined {
  return (answer as Direct)[BODY];
}

/**
 * An answer made of a file's pieces, each of which may be overwritten by the next. Any server can send it by its body; the door
 * writes the pieces themselves, since a body of the web's kind costs a long file twice the processor time.
 */
export function answerInPieces(pieces: AsyncIterable<Uint8Array>, init: ResponseInit): Response {
  const iterator = pieces[Symbol.asyncIterator]();
  const response = currentResponse();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await hasRoom(response);
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value.slice());
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is read before somebody takes it.
    { highWaterMark: 0 },
  );
  const answer: Direct = new Response(body, init);
  answer[PIECES] = { [Symbol.asyncIterator]: () => iterator };
  return answer;
}

/** The pieces of an answer that was made of some. */
export function piecesOfAnswer(answer: Response): AsyncIterable<Uint8Array> | undefined {
  return (answer as Direct)[PIECES];
}
