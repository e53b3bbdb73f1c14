import type { PixStatus } from "#app/domain/pix/read-pix-statuses.server.ts";
import { watchPix } from "#app/domain/pix/watch-pix.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { isStopping, onStopping } from "#app/platform/shutdown.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { takeStream } from "#app/web/limits/event-streams.server.ts";

const HEARTBEAT = 15 * SECOND;

/** Tells an open payment page how its sale stands: at once, and whenever that changes (server-sent events). */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const unknown = notFound("A venda especificada não foi encontrada.");
    if (!isUuid(params.saleId)) throw unknown;
    const leave = takeStream(request, params.saleId);
    const { body, say, end, ended } = eventStream(request.signal);
    const tell = ({ api, buyer }: PixStatus) =>
      say(`event: status\ndata: ${api}\n\nevent: standing\ndata: ${buyer}\n\n`);
    const watch = watchPix(params.saleId, tell);
    void ended.then(() => {
      watch.stop();
      leave();
    });
    try {
      const status = await watch.status;
      if (!status) throw unknown;
      tell(status);
    } catch (error) {
      end();
      throw error;
    }
    return new Response(body, {
      headers: {
        "Content-Type": "text/event-stream",
        // `no-transform`: compression would hold events back.
        "Cache-Control": "no-cache, no-transform",
        "X-Accel-Buffering": "no",
      },
    });
  },
});

/** A stream that beats now and then, until its reader is gone or the process stops. */
function eventStream(gone: AbortSignal) {
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
  gone.addEventListener("abort", end);
  say("retry: 3000\n\n");
  // Gone before we came here: no event tells of it any more.
  if (gone.aborted || isStopping()) end();
  return { body, say, end, ended };
}
