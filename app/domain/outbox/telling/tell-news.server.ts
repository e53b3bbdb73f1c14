import { DESTINATIONS } from "#app/domain/outbox/destinations.server.ts";
import { openDestination } from "#app/domain/outbox/open-destination.server.ts";
import { beginTry, sayAlive } from "#app/domain/outbox/telling/begin-try.server.ts";
import { bookTry } from "#app/domain/outbox/telling/book-try.server.ts";
import {
  type Addressed,
  claimSubject,
  type TakenNews,
} from "#app/domain/outbox/telling/claim-news.server.ts";
import { drawNews, type ReadNews } from "#app/domain/outbox/telling/draw-news.server.ts";
import { endNews } from "#app/domain/outbox/telling/end-news.server.ts";
import { makeCall } from "#app/domain/outbox/telling/make-call.server.ts";
import { whyPointless } from "#app/domain/outbox/telling/why-pointless.server.ts";
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
  const pointless = await whyPointless(news, kind, now);
  if (pointless) return endNews(news, pointless);
  const to = openDestination(destination, now);
  const drawn = news.bodySealed && !kind.drawsAnew ? null : await drawNews(news, to, kind, read);
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
