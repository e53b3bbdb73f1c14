import { SECOND } from "#app/kit/duration.ts";
import { isStopping, onStopping } from "#app/platform/shutdown.server.ts";
import { currentResponse } from "#app/web/door/socket.server.ts";

const HEARTBEAT = 15 * SECOND;

/**
 * The body of server-sent events: it beats now and then, until its reader is gone or the process stops. `ended` resolves
 * then; `say` takes text as it goes over the wire.
 */
export function eventStream(request: Request) {
  const encoder = new TextEncoder();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  let isCancelled = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(heart);
    stopWaiting();
    resolve();
    // Who cancels closes it, too.
    if (!isCancelled) controller.close();
  };
  const say = (text: string) => {
    if (!isOver) controller.enqueue(encoder.encode(text));
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
  const heart = setInterval(() => say(": \n\n"), HEARTBEAT);
  const stopWaiting = onStopping(end);
  // By its response where there is one: the request's own signal is forgotten, with whoever listens, once memory is collected
  // and nobody holds the request.
  const response = currentResponse();
  if (response) response.once("close", end);
  else request.signal.addEventListener("abort", end);
  say("retry: 3000\n\n");
  // Gone before we came here: no event tells of it any more.
  if (request.signal.aborted || isStopping()) end();
  return { body, say, end, ended };
}
