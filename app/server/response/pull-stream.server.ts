import { MINUTE } from "#app/kit/duration.ts";
import { currentResponse, waitForDrain } from "#app/server/pipeline/socket-request.server.ts";

/** A client that reads nothing for this long is disconnected; of a file it can request the rest. */
const STALL_TIMEOUT = 5 * MINUTE;

/** Streams waiting for their turn to hand on a piece, the longest waiting first. */
const waiting: (() => void)[] = [];

/**
 * A web stream of pieces, each of which is requested once the client received the last one, and none after it left. Of all
 * such streams only one piece is handed on per iteration of the event loop, so that pages and database results are handled in
 * between, however many streams there are and however fast their readers.
 * @param toBytes a piece as it is sent
 */
export function pullStream<T>(
  pieces: AsyncIterator<T>,
  toBytes: (piece: T) => Uint8Array,
): ReadableStream<Uint8Array> {
  const response = currentResponse();
  response?.setTimeout(STALL_TIMEOUT, () => response.destroy());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await waitForDrain(response);
        const { done, value } = await pieces.next();
        await waitForTurn();
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

function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext);
  });
}

function runNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(runNext);
}
