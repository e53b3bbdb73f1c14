import { currentResponse, hasRoom } from "#app/web/door/socket.server.ts";

/**
 * Text sent as it is made: the next piece is asked for once the reader took the last one (`answerAtDoor`), and none after
 * they left.
 */
export function streamText(pieces: AsyncGenerator<string>, headers: Record<string, string>): Response {
  const encoder = new TextEncoder();
  const response = currentResponse();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await hasRoom(response);
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    // Made when it is asked for, and no sooner.
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "Cache-Control": "no-store", ...headers } });
}
