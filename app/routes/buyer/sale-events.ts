import { type PixStatus, watchPix } from "#app/domain/pix/watch-pix.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { acquireStream } from "#app/server/limits/limit-event-streams.server.ts";
import { eventStream } from "#app/server/response/event-stream.server.ts";

/** Sends an open payment page its sale's status: at once, and on every change (server-sent events). */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const unknown = notFound("A venda especificada não foi encontrada.");
    if (!isUuid(params.saleId)) throw unknown;
    const leave = acquireStream(request, params.saleId);
    const { body, send, end, ended } = eventStream(request);
    const sendStatus = ({ apiStatus: api, buyer }: PixStatus) =>
      send(`event: status\ndata: ${api}\n\nevent: standing\ndata: ${buyer}\n\n`);
    const watch = watchPix(params.saleId, sendStatus);
    void ended.then(() => {
      watch.stop();
      leave();
    });
    try {
      const status = await watch.status;
      if (!status) throw unknown;
      sendStatus(status);
    } catch (error) {
      end();
      throw error;
    }
    return new Response(body, {
      headers: {
        "Content-Type": "text/event-stream",
        // `no-transform`: compression would delay events.
        "Cache-Control": "no-cache, no-transform",
        "X-Accel-Buffering": "no",
      },
    });
  },
});
