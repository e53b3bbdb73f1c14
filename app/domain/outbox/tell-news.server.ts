import { beginTry, sayAlive } from "#app/domain/outbox/begin-try.server.ts";
import { bookTry } from "#app/domain/outbox/book-try.server.ts";
import { type Addressed, claimSubject, type TakenNews } from "#app/domain/outbox/claim-news.server.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import { DESTINATIONS } from "#app/domain/outbox/destinations.server.ts";
import { drawNews, type ReadNews } from "#app/domain/outbox/draw-news.server.ts";
import { endNews } from "#app/domain/outbox/end-news.server.ts";
import { makeCall } from "#app/domain/outbox/make-call.server.ts";
import { openDestination } from "#app/domain/outbox/open-destination.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * Tells one piece of news that was taken. Told twice is only what nobody knows they heard: the answer was lost, or whoever
 * told it died.
 * @returns whether other news became due by that
 */
export async function tellNews(taken: TakenNews, read: ReadNews): Promise<boolean> {
  const { news, destination } = taken;
  const now = new Date();
  const kind = DESTINATIONS[destination.kind];
  const pointless = whyPointless(taken, kind, now);
  if (pointless) return endNews(news, pointless);
  const to = openDestination(destination, now);
  const drawn = news.bodySealed ? null : await drawNews(news, to, kind, read);
  if (drawn && "unsaid" in drawn) return endNews(news, { status: "dropped", why: drawn.unsaid });
  if (!(await beginTry(taken, drawn))) return false;
  const body = drawn ? drawn[0]! : unseal(news.bodySealed!);
  const message = { id: news.id, body, at: new Date(), isTest: news.saleId === null };
  const stopSaying = sayAlive(taken);
  const tried = await makeCall(kind, kind.request(message, to)).finally(stopSaying);
  return bookTry({ news, kind, tried, now });
}

/** Tells all that is queued of a subject and may be told now, in order, for who waits to see it. */
export async function tellSubject(addressed: Addressed, read: ReadNews): Promise<void> {
  for (;;) {
    const taken = await claimSubject(addressed);
    if (!taken) return;
    await tellNews(taken, read);
  }
}

/** What is no use telling. */
function whyPointless({ news }: TakenNews, kind: Destination, now: Date) {
  const age = now.getTime() - news.createdAt.getTime();
  if (age > kind.tellWithin(news.event)) return { status: "too_late" as const, why: news.why };
  // Whoever made the last try died before they could say how it went.
  if (news.attempts > kind.pauses.length) return { status: "refused" as const, why: "lost" };
  return null;
}
