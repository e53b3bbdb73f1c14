import { Refusal } from "#app/kit/refusal.ts";
import { concurrencyLimiter, type Release } from "#app/platform/concurrency-limiter.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { STREAMS } from "#app/server/limits/limits.ts";
import { clientKey } from "#app/server/request/client.server.ts";

const RETRY_AFTER_SECONDS = 30;

const acquireForSale = concurrencyLimiter(STREAMS.sale);
const acquireForClient = concurrencyLimiter(STREAMS.client);
let openStreams = 0;

gauge(
  "event_streams_open",
  "Open streams of server-sent events, as open PIX pages hold them.",
  [],
  (streams) => streams.set(openStreams),
);

/**
 * Acquires a slot for a stream of server-sent events. Without one, the page falls back to polling.
 * @returns releases the slot; a second call does nothing
 * @throws Refusal too-many, unavailable
 */
export function acquireStream(request: Request, saleId: string): Release {
  if (openStreams >= STREAMS.process) throw limitRefusal("unavailable");
  const releaseSale = acquireForSale(saleId);
  if (!releaseSale) throw limitRefusal("too-many");
  const releaseClient = acquireForClient(clientKey(request));
  if (!releaseClient) {
    releaseSale();
    throw limitRefusal("too-many");
  }
  openStreams += 1;
  let isOpen = true;
  return () => {
    releaseSale();
    releaseClient();
    if (isOpen) openStreams -= 1;
    isOpen = false;
  };
}

function limitRefusal(kind: "unavailable" | "too-many"): Refusal {
  return new Refusal(
    kind,
    "Há páginas demais abertas ao mesmo tempo. Esta pergunta de tempos em tempos.",
    undefined,
    RETRY_AFTER_SECONDS,
  );
}
