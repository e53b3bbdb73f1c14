import { eq, like, or } from "drizzle-orm";
import { RateLimiterRes } from "rate-limiter-flexible";
import { db } from "#app/db/client.server.ts";
import { throttles } from "#app/db/schema/throttles.server.ts";
import { sign } from "#app/platform/secrets.server.ts";
import { clientOf } from "#app/web/limits/client.server.ts";
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
  // Hashed, so that the table holds no addresses.
  const about = sign(address);
  const pair = `${about}/${client}`;
  const pairs = limiter(kind, "pair");
  refuseOver(await count(kind, "client", client));
  const atAddress = await count(kind, "address", about);
  if (!pairs) refuseOver(atAddress);
  else {
    const ofPair = await count(kind, "pair", pair);
    refuseOver(ofPair);
    if (atAddress.isOver && ofPair.tries > AT_A_SOUGHT_ADDRESS) throw tooMany(ofPair.wait);
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
  const about = sign(address);
  const pairs = `${kind}/pair:${about}/`.replace(/[_%\\]/g, "\\$&");
  await db
    .delete(throttles)
    .where(or(eq(throttles.key, `${kind}/address:${about}`), like(throttles.key, `${pairs}%`)));
}

type Count = { tries: number; isOver: boolean; wait: number };

async function count(kind: Kind, by: By, key: string): Promise<Count> {
  const asked = limiter(kind, by)!.consume(key);
  const [result, isOver] = await asked.then(
    (result) => [result, false] as const,
    (error) => [error, true] as const,
  );
  if (!(result instanceof RateLimiterRes)) throw result;
  return { tries: result.consumedPoints, isOver, wait: result.msBeforeNext };
}

function refuseOver({ isOver, wait }: Count): void {
  if (isOver) throw tooMany(wait);
}
