import { currentResponse, waitForDrain } from "#app/server/pipeline/socket-request.server.ts";

/**
 * A web stream of pieces, each of which is requested once the client received the last one, and none after it left.
 * @param toBytes a piece as it is sent
 */
export function pullStream<T>(
  pieces: AsyncIterator<T>,
  toBytes: (piece: T) => Uint8Array,
): ReadableStream<Uint8Array> {
  const response = currentResponse();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await waitForDrain(response);
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(toBytes(value));
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    // Nothing is generated before it is requested.
    { highWaterMark: 0 },
  );
}
