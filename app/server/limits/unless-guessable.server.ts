import { Refusal } from "#app/kit/refusal.ts";
import type { CountedAttempt } from "#app/server/limits/throttle.server.ts";

/**
 * The outcome of a counted attempt to set a password: one that is refused as easy to guess does not count against its
 * account. It is judged after counting, since that takes long enough to be a flood.
 */
export async function unlessGuessable<T>(counted: CountedAttempt, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "invalid" && error.field === "password")
      await counted.takeBack();
    throw error;
  }
}
