import { Refusal } from "#app/kit/refusal.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { clientOf } from "#app/web/limits/client.server.ts";

/** Open streams of one sale, of one client, and in all, in this process. Why: docs/decisions/limits-by-client.md. */
const OF_A_SALE = 4;
const OF_A_CLIENT = 60;
const IN_ALL = 4000;
const COME_BACK = 30;

const open = new Map<string, number>();
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
export function takeStream(request: Request, saleId: string): () => void {
  const counted = [
    [`sale ${saleId}`, OF_A_SALE],
    [`client ${clientOf(request)}`, OF_A_CLIENT],
  ] as const;
  const full = "Há páginas demais abertas ao mesmo tempo. Esta pergunta de tempos em tempos.";
  if (inAll >= IN_ALL) throw new Refusal("unavailable", full, undefined, COME_BACK);
  for (const [key, most] of counted)
    if ((open.get(key) ?? 0) >= most) throw new Refusal("too-many", full, undefined, COME_BACK);
  for (const [key] of counted) open.set(key, (open.get(key) ?? 0) + 1);
  inAll += 1;
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    inAll -= 1;
    for (const [key] of counted) {
      const left = open.get(key)! - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  };
}
