import pLimit from "p-limit";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientOf } from "#app/web/limits/client.server.ts";
import { tooMany } from "#app/web/limits/too-many.ts";

/**
 * A form draws its preview a third of a second after each pause in typing, and few pauses come as often as that for long.
 * Drawing is work of the thread that serves everybody; counted in this process alone, since a count costs nothing then.
 */
const previews = new RateLimiterMemory({ points: 30, duration: 20 });

/** One is drawn at a time, so that a buyer's page waits for one drawing at most. */
const turns = pLimit(1);

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
export function drawPreview<T>(draw: () => T | Promise<T>): Promise<T> {
  return turns(async () => {
    // Whoever came while the one before was drawn is served first.
    await new Promise(setImmediate);
    return draw();
  });
}
