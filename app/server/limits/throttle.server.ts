import { eq, like, or } from "drizzle-orm";
import { RateLimiterRes } from "rate-limiter-flexible";
import { db } from "#app/db/client.server.ts";
import { throttles } from "#app/db/schema/requests.server.ts";
import { sign, signaturesOf } from "#app/platform/secrets.server.ts";
import { recordLimit } from "#app/server/limits/limit-headers.server.ts";
import { getLimiter, type LimitKind, type LimitScope } from "#app/server/limits/rate-limiters.server.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/** Attempts left to each client at a target with too many attempts. */
const ATTEMPTS_AT_BUSY_TARGET = 3;

/** A counted attempt. */
export type CountedAttempt = {
  /** Call it after a success: removes this attempt and the client's earlier ones at this target. */
  forgive: () => Promise<void>;
  /** Removes this attempt, except from the client's count, which limits the work that the client causes. */
  takeBack: () => Promise<void>;
};

/**
 * Counts an attempt: for the client and for its target. If the kind counts pairs, a target is never blocked: only the pair of
 * client and target is, and too many attempts from everywhere merely leave fewer to each client. All processes share the
 * counts.
 * @param target what the attempt is made at: an e-mail address, or the id of a seller, a sale or a payment
 * @throws Refusal too-many with the seconds to wait
 */
export async function throttle(kind: LimitKind, request: Request, target: string): Promise<CountedAttempt> {
  const client = clientKey(request);
  // Hashed, so that the table contains no e-mail addresses. A new APP_SECRET resets the counts.
  const targetHash = sign(target);
  const pair = `${targetHash}/${client}`;
  const pairs = getLimiter(kind, "pair");
  const record = (count: LimitCount) => recordLimit(request, count);
  const ofClient = await consumeAttempt(kind, "client", client);
  record(ofClient);
  refuseOver(ofClient);
  const atTarget = await consumeAttempt(kind, "target", targetHash);
  if (!pairs) {
    record(atTarget);
    refuseOver(atTarget);
  } else {
    const ofPair = await consumeAttempt(kind, "pair", pair);
    record(ofPair);
    refuseOver(ofPair);
    if (atTarget.isOver && ofPair.attempts > ATTEMPTS_AT_BUSY_TARGET) throw tooManyRefusal(ofPair.wait);
  }
  return {
    async forgive() {
      await getLimiter(kind, "client")?.reward(client);
      if (!pairs) return void (await getLimiter(kind, "target")?.delete(targetHash));
      await getLimiter(kind, "target")?.reward(targetHash);
      await pairs.delete(pair);
    },
    async takeBack() {
      await getLimiter(kind, "target")?.reward(targetHash);
      await pairs?.reward(pair);
    },
  };
}

/** Resets the counts of an e-mail address after its owner proved it, for every device. */
export async function resetTarget(kind: LimitKind, target: string): Promise<void> {
  const counts = signaturesOf(target).flatMap((targetHash) => {
    const pairs = `${kind}/pair:${targetHash}/`.replace(/[_%\\]/g, "\\$&");
    return [eq(throttles.key, `${kind}/target:${targetHash}`), like(throttles.key, `${pairs}%`)];
  });
  await db.delete(throttles).where(or(...counts));
}

/** `attempts` of `limit`; `wait` in milliseconds until none counts any more. */
type LimitCount = { limit: number; attempts: number; remaining: number; isOver: boolean; wait: number };

async function consumeAttempt(kind: LimitKind, by: LimitScope, key: string): Promise<LimitCount> {
  const counter = getLimiter(kind, by)!;
  const consumption = counter.consume(key);
  const [result, isOver] = await consumption.then(
    (result) => [result, false] as const,
    (error) => [error, true] as const,
  );
  if (!(result instanceof RateLimiterRes)) throw result;
  const { consumedPoints: attempts, msBeforeNext: wait } = result;
  // A client refused from memory has no count.
  const remaining = isOver ? 0 : counter.points - attempts;
  return { limit: counter.points, attempts, remaining, isOver, wait };
}

function refuseOver({ isOver, wait }: LimitCount): void {
  if (isOver) throw tooManyRefusal(wait);
}
