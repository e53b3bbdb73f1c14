import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as later } from "node:timers/promises";

/**
 * Remix writes a streamed answer as fast as it comes, whether or not the reader keeps up: a long file and a slow line
 * would pile up in memory. So each request carries the number of its socket's answer, and the stream asks it to wait.
 */
const NUMBER = "x-answer-number";
const answers = new Map<string, ServerResponse>();
let last = 0;

subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const number = String(++last);
  request.headers[NUMBER] = number;
  answers.set(number, response);
  response.once("close", () => answers.delete(number));
});

/** Text sent as it is made: the next piece is asked for once the reader took the last one, and none after they left. */
export function streamText(
  request: Request,
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Response {
  const answer = answers.get(request.headers.get(NUMBER) ?? "");
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (answer?.writableNeedDrain && !request.signal.aborted) await later(20);
      const { done, value } = request.signal.aborted ? await pieces.return(undefined) : await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, { headers: { "Cache-Control": "no-store", ...headers } });
}
