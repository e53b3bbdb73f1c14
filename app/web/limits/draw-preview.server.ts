import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientOf } from "#app/web/limits/client.server.ts";
import { oneAtATime } from "#app/web/limits/one-at-a-time.ts";
import { tooMany } from "#app/web/limits/too-many.ts";

/**
 * A form draws its preview a third of a second after each pause in typing, and few pauses come as often as that for long.
 * Drawing is work of the thread that serves everybody; counted in this process alone, since a count costs nothing then.
 */
const previews = new RateLimiterMemory({ points: 30, duration: 20 });

/** Counts a preview of a seller and of their client, before anything of it is read. @throws Refusal too-many */
export async function throttlePreview(request: Request, sellerId: string): Promise<void> {
  for (const key of [sellerId, clientOf(request)]) {
    try {
      await previews.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw tooMany(error.msBeforeNext);
    }
  }
}

/** Draws a preview in its turn. Whatever it needs from a client or the database has come before. */
export const drawPreview = oneAtATime();
