import { listen, whenHearing } from "#app/db/listen.server.ts";
import { showPix } from "#app/domain/payments/show-pix.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { notFound } from "#app/kit/refusal.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";
import { endpoint } from "#app/web/api.server.ts";

const HEARTBEAT = 15 * SECOND;

/** Tells an open payment page how its sale stands: at once, and whenever that changes (server-sent events). */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const saleId = params.saleId ?? "";
    if (!(await statusOf(saleId))) throw notFound("A venda especificada não foi encontrada.");
    return new Response(stream(saleId, request.signal), {
      headers: {
        "Content-Type": "text/event-stream",
        // `no-transform`: compression would hold events back.
        "Cache-Control": "no-cache, no-transform",
        "X-Accel-Buffering": "no",
      },
    });
  },
});

function stream(saleId: string, gone: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream({
    start(controller) {
      const say = (text: string) => controller.enqueue(encoder.encode(text));
      const tell = async () => {
        const status = await statusOf(saleId).catch(() => null);
        if (!over && status) say(`event: status\ndata: ${status}\n\n`);
      };
      let over = false;
      const stopListening = listen("sale", (id) => id === saleId && void tell());
      const stopHearing = whenHearing(() => void tell());
      const heart = setInterval(() => say(": \n\n"), HEARTBEAT);
      const stopWaiting = onShutdown(() => end());
      end = () => {
        if (over) return;
        over = true;
        clearInterval(heart);
        stopListening();
        stopHearing();
        stopWaiting();
        controller.close();
      };
      gone.addEventListener("abort", end);
      // Gone before we came here: no event tells of it any more.
      if (gone.aborted) return end();
      say("retry: 3000\n\n");
      // Asked after listening began: what changed in between is not missed.
      void tell();
    },
    cancel: () => end(),
  });
}

async function statusOf(saleId: string): Promise<"pending" | "completed" | "failed" | null> {
  const pix = await showPix(saleId);
  if (!pix) return null;
  if (["completed", "refunded", "chargedback"].includes(pix.saleStatus)) return "completed";
  // A sale that failed may have a fresh PIX by now.
  const failed =
    pix.charge?.status === "failed" || (pix.saleStatus === "failed" && pix.charge?.status !== "open");
  return failed ? "failed" : "pending";
}
