import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { SECOND } from "#app/kit/duration.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { serialQueue } from "#app/server/limits/serial-queue.server.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/**
 * A form requests its preview a third of a second after each pause in typing, and few people pause that often for long.
 * Rendering uses the thread that serves everybody; counted in this process only, where a count is free.
 */
const [points, within] = REQUESTS.preview;
const previewLimiter = new RateLimiterMemory({ points, duration: within / SECOND });

/** Counts a preview for its seller and client, before its body is read. @throws Refusal too-many */
export async function limitPreviews(request: Request, sellerId: string): Promise<void> {
  for (const key of [sellerId, clientKey(request)]) {
    try {
      await previewLimiter.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw tooManyRefusal(error.msBeforeNext);
    }
  }
}

/** Renders previews one at a time. Data from the client or the database must be loaded before. */
export const renderQueuedPreview = serialQueue();
