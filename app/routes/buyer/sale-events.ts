import type { PixStatus } from "#app/domain/pix/read-pix-statuses.server.ts";
import { watchPix } from "#app/domain/pix/watch-pix.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { endpoint } from "#app/web/api.server.ts";
import { eventStream } from "#app/web/event-stream.server.ts";
import { takeStream } from "#app/web/limits/event-streams.server.ts";

/** Tells an open payment page how its sale stands: at once, and whenever that changes (server-sent events). */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const unknown = notFound("A venda especificada não foi encontrada.");
    if (!isUuid(params.saleId)) throw unknown;
    const leave = takeStream(request, params.saleId);
    const { body, say, end, ended } = eventStream(request);
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
