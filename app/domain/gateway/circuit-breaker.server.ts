import { MINUTE } from "#app/kit/duration.ts";
import { counter } from "#app/platform/metrics.server.ts";

/** So many failures within `WINDOW` pause an account. */
const MAX_FAILURES = 3;
const WINDOW = MINUTE;
const PAUSE = MINUTE;
/** More accounts than one process serves while their providers fail; the oldest are forgotten. */
const MAX_ACCOUNTS = 10_000;

type Breaker = { failedAt: number[]; pausedUntil: number };

/** By account key, in this process only: each process finds out for itself within a few orders. */
const breakers = new Map<string, Breaker>();

const pauses = counter(
  "gateway_pauses_total",
  "Accounts whose provider stopped creating codes, so that another account of their seller is tried first for a minute.",
  ["provider"],
);

/**
 * Whether an account should be tried before others. While it is paused it should not; after a minute one caller may try it,
 * and the others wait for that outcome for as long again.
 */
export function mayTryFirst(keyId: string, now = performance.now()): boolean {
  const breaker = breakers.get(keyId);
  if (!breaker || breaker.pausedUntil === 0) return true;
  if (breaker.pausedUntil > now) return false;
  breaker.pausedUntil = now + PAUSE;
  return true;
}

/** An account created a code, or refused one for a reason of that order. */
export function recordAnswer(keyId: string): void {
  breakers.delete(keyId);
}

/** An account did not create a code, for a reason that concerns all orders. */
export function recordFailure(keyId: string, provider: string, now = performance.now()): void {
  const before = breakers.get(keyId);
  const failedAt = [...(before?.failedAt ?? []).filter((at) => at > now - WINDOW), now].slice(-MAX_FAILURES);
  const isPaused = failedAt.length === MAX_FAILURES || (before?.pausedUntil ?? 0) > 0;
  if (isPaused && !before?.pausedUntil) pauses.inc({ provider });
  breakers.delete(keyId);
  breakers.set(keyId, { failedAt, pausedUntil: isPaused ? now + PAUSE : 0 });
  for (const oldest of breakers.keys()) {
    if (breakers.size <= MAX_ACCOUNTS) break;
    breakers.delete(oldest);
  }
}
