import { SECOND } from "#app/kit/duration.ts";
import { isStopping, onStopping } from "#app/platform/shutdown.server.ts";
import { currentResponse } from "#app/server/pipeline/socket-request.server.ts";

const HEARTBEAT = 15 * SECOND;

/**
 * The body of server-sent events, with heartbeats, until the client leaves or the process stops; `ended` resolves then.
 * `say` sends text exactly as given.
 */
export function eventStream(request: Request) {
  const encoder = new TextEncoder();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let hasEnded = false;
  let isCancelled = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(heartbeat);
    removeStopListener();
    resolve();
    // A cancelled stream is closed already.
    if (!isCancelled) controller.close();
  };
  const send = (text: string) => {
    if (!hasEnded) controller.enqueue(encoder.encode(text));
  };
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      isCancelled = true;
      end();
    },
  });
  const heartbeat = setInterval(() => send(": \n\n"), HEARTBEAT);
  const removeStopListener = onStopping(end);
  // Listens to the response if there is one: a request's own signal, with its listeners, is garbage-collected once
  // nobody holds the request.
  const response = currentResponse();
  if (response) response.once("close", end);
  else request.signal.addEventListener("abort", end);
  send("retry: 3000\n\n");
  // Ended before this point: no event will report it.
  if (request.signal.aborted || isStopping()) end();
  return { body, send, end, ended };
}
