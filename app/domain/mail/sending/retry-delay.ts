import { SECOND } from "#app/kit/duration.ts";

/**
 * How long a mail waits for its next attempt, in seconds: from three seconds to six hours, by its attempts. Since calls that its
 * account put off count as well, one that only these delayed so far does not wait much longer than it has.
 */
export function retryDelay({ attempts, createdAt }: { attempts: number; createdAt: Date }): number {
  const age = (Date.now() - createdAt.getTime()) / SECOND;
  return Math.min(Math.exp(Math.min(attempts, 10)), Math.max(10, 2 * age));
}
