import { Refusal } from "#app/kit/refusal.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { type Leave, places } from "#app/platform/places.ts";
import { clientOf } from "#app/web/limits/client.server.ts";

/** Open streams of one sale, of one client, and in all, in this process. Why: docs/decisions/limits-by-client.md. */
const OF_A_SALE = 4;
const OF_A_CLIENT = 60;
const IN_ALL = 4000;
const COME_BACK = 30;

const ofSale = places(OF_A_SALE);
const ofClient = places(OF_A_CLIENT);
let inAll = 0;

gauge(
  "event_streams_open",
  "Open streams of server-sent events, as open PIX pages hold them.",
  [],
  (streams) => streams.set(inAll),
);

/**
 * Takes a place for a stream of server-sent events. Who gets none is not left without news: the page asks now and then.
 * @returns gives the place back; a second call does nothing
 * @throws Refusal too-many, unavailable
 */
export function takeStream(request: Request, saleId: string): Leave {
  if (inAll >= IN_ALL) throw full("unavailable");
  const leaveSale = ofSale(saleId);
  if (!leaveSale) throw full("too-many");
  const leaveClient = ofClient(clientOf(request));
  if (!leaveClient) {
    leaveSale();
    throw full("too-many");
  }
  inAll += 1;
  let isOpen = true;
  return () => {
    leaveSale();
    leaveClient();
    if (isOpen) inAll -= 1;
    isOpen = false;
  };
}

function full(kind: "unavailable" | "too-many"): Refusal {
  return new Refusal(
    kind,
    "Há páginas demais abertas ao mesmo tempo. Esta pergunta de tempos em tempos.",
    undefined,
    COME_BACK,
  );
}
