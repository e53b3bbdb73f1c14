import { currentResponse, waitForDrain } from "#app/server/pipeline/socket-request.server.ts";

/**
 * Streams text as it is generated: the next piece is requested once the client received the last one (`waitForDrain`),
 * and none after the client left.
 */
export function streamText(pieces: AsyncGenerator<string>, headers: Record<string, string>): Response {
  const encoder = new TextEncoder();
  const response = currentResponse();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await waitForDrain(response);
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    // Generated only when it is requested.
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "Cache-Control": "no-store", ...headers } });
}
