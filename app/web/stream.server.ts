import { setTimeout as later } from "node:timers/promises";
import { answerOf } from "#app/web/door/socket.server.ts";

/**
 * Text sent as it is made: the next piece is asked for once the reader took the last one, and none after they left. Remix
 * writes a streamed answer as fast as it comes, whether or not the reader keeps up: a long file and a slow line would
 * pile up in memory. So the stream asks its socket's answer whether to wait.
 */
export function streamText(
  request: Request,
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Response {
  const answer = answerOf(request);
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
