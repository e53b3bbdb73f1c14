import { Refusal } from "#app/kit/refusal.ts";
import type { CountedAttempt } from "#app/server/limits/throttle.server.ts";

/**
 * The outcome of a counted attempt with a password: one that is refused as easy to guess, or by a busy server, does not count
 * against its account. Both are known only after counting: judging a password takes long enough to be a flood.
 */
export async function takeBackRefused<T>(counted: CountedAttempt, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof Refusal && isOfNoAttempt(error)) await counted.takeBack();
    throw error;
  }
}

function isOfNoAttempt({ kind, field }: Refusal): boolean {
  return kind === "unavailable" || (kind === "invalid" && field === "password");
}
