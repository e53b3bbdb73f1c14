import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientOf } from "#app/web/limits/client.server.ts";
import { tooMany } from "#app/web/limits/too-many.ts";

/**
 * What one client may tell of checkouts seen: many buyers of one mobile network share an address, and each tells two
 * things at most. Counted in this process alone, since counting elsewhere would cost more than what is counted.
 */
const visits = new RateLimiterMemory({ points: 120, duration: 10 });

/** Counts what a client tells, before it is read. @throws Refusal too-many */
export async function limitVisits(request: Request): Promise<void> {
  try {
    await visits.consume(clientOf(request));
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw tooMany(error.msBeforeNext);
  }
}
