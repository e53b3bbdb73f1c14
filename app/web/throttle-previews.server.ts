import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientOf } from "#app/web/client.server.ts";
import { tooMany } from "#app/web/too-many.ts";

/**
 * A form draws its preview a third of a second after each pause in typing: three a second is faster than anybody types.
 * Drawing is work of the thread that serves everybody; counted in this process alone, since a count costs nothing then.
 */
const previews = new RateLimiterMemory({ points: 60, duration: 20 });

/** Counts a preview of a seller and of their client. @throws Refusal too-many */
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
