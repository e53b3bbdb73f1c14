import { eq, like, or } from "drizzle-orm";
import { RateLimiterRes } from "rate-limiter-flexible";
import { db } from "#app/db/client.server.ts";
import { throttles } from "#app/db/schema/throttles.server.ts";
import { sign, signaturesOf } from "#app/platform/secrets.server.ts";
import { clientOf } from "#app/web/limits/client.server.ts";
import { noteLimit } from "#app/web/limits/limit-headers.server.ts";
import { type By, type Kind, limiter } from "#app/web/limits/limiters.server.ts";
import { tooMany } from "#app/web/limits/too-many.ts";

/** What each client keeps at an address that too many tried. */
const AT_A_SOUGHT_ADDRESS = 3;

/**
 * Counts a try of a client: against the client and against the address it is about. Where the kind counts pairs, an
 * address is closed to nobody: it is its client that is refused there, and too many tries from everywhere only leave each
 * client fewer. The counts are shared by all processes.
 * @returns a function for what went well: takes the try back, and those before of this client at this address
 * @throws Refusal too-many with the seconds to wait
 */
export async function throttle(kind: Kind, request: Request, address: string): Promise<() => Promise<void>> {
  const client = clientOf(request);
  // Hashed, so that the table holds no addresses. Where APP_SECRET changes, the counts begin anew.
  const about = sign(address);
  const pair = `${about}/${client}`;
  const pairs = limiter(kind, "pair");
  const tell = (count: Count) => noteLimit(request, count);
  const ofClient = await count(kind, "client", client);
  tell(ofClient);
  refuseOver(ofClient);
  const atAddress = await count(kind, "address", about);
  if (!pairs) {
    tell(atAddress);
    refuseOver(atAddress);
  } else {
    const ofPair = await count(kind, "pair", pair);
    tell(ofPair);
    refuseOver(ofPair);
    if (atAddress.isOver && ofPair.tried > AT_A_SOUGHT_ADDRESS) throw tooMany(ofPair.wait);
  }
  return async () => {
    await limiter(kind, "client")?.reward(client);
    if (!pairs) return void (await limiter(kind, "address")?.delete(about));
    await limiter(kind, "address")?.reward(about);
    await pairs.delete(pair);
  };
}

/** Whoever showed that an address is theirs starts afresh, on every device. */
export async function forgiveAddress(kind: Kind, address: string): Promise<void> {
  const counts = signaturesOf(address).flatMap((about) => {
    const pairs = `${kind}/pair:${about}/`.replace(/[_%\\]/g, "\\$&");
    return [eq(throttles.key, `${kind}/address:${about}`), like(throttles.key, `${pairs}%`)];
  });
  await db.delete(throttles).where(or(...counts));
}

/** `tried` so often of `tries`; `wait` in milliseconds until none is counted any more. */
type Count = { tries: number; tried: number; left: number; isOver: boolean; wait: number };

async function count(kind: Kind, by: By, key: string): Promise<Count> {
  const counter = limiter(kind, by)!;
  const asked = counter.consume(key);
  const [result, isOver] = await asked.then(
    (result) => [result, false] as const,
    (error) => [error, true] as const,
  );
  if (!(result instanceof RateLimiterRes)) throw result;
  const { consumedPoints: tried, msBeforeNext: wait } = result;
  // A client refused from memory is told of no count.
  const left = isOver ? 0 : counter.points - tried;
  return { tries: counter.points, tried, left, isOver, wait };
}

function refuseOver({ isOver, wait }: Count): void {
  if (isOver) throw tooMany(wait);
}
