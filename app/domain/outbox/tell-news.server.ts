import { db } from "#app/db/client.server.ts";
import { bookTry, dropNews } from "#app/domain/outbox/book-try.server.ts";
import { claimNews, keepClaim } from "#app/domain/outbox/claim-news.server.ts";
import { DESTINATIONS } from "#app/domain/outbox/destinations.server.ts";
import { drawNews, type ReadNews } from "#app/domain/outbox/draw-news.server.ts";
import { makeCall } from "#app/domain/outbox/make-call.server.ts";
import { openDestination } from "#app/domain/outbox/open-destination.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { TELL_NEWS } from "#app/queue/names.ts";

/** What is to be told, and to whom. */
export type Addressed = { destinationId: string; subjectId: string };

/**
 * Tells a destination all that is queued of a subject, in order, each by its own row. What may pass is tried again after
 * its destination's pause. Told twice is only what nobody knows they heard: the answer was lost, or whoever told it died.
 */
export async function tellNews(addressed: Addressed, read: ReadNews): Promise<void> {
  const { destinationId, subjectId } = addressed;
  for (;;) {
    const now = new Date();
    const claim = await claimNews(destinationId, subjectId, now);
    if (claim.kind === "nothing") return;
    if (claim.kind === "wait") return tellLater(addressed, claim.until);
    const { news, destination } = claim;
    const kind = DESTINATIONS[destination.kind];
    const to = openDestination(destination, now);
    const body = await drawNews(news, to, kind, read);
    if (body === null) continue;
    if (typeof body === "object") {
      await dropNews(news, body);
      continue;
    }
    if (!(await keepClaim(news))) continue;
    const message = { id: news.id, body, at: new Date(), isTest: news.saleId === null };
    const tried = await makeCall(kind, kind.request(message, to));
    const next = await bookTry({ news, kind, tried, now });
    if (next) return tellLater(addressed, next);
  }
}

async function tellLater(addressed: Addressed, when: Date): Promise<void> {
  const key = `${addressed.destinationId}:${addressed.subjectId}`;
  await enqueue(db, TELL_NEWS, addressed, { key, when });
}
