import { db } from "#app/db/client.server.ts";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { outbox } from "#app/db/schema/outbox.server.ts";
import { type ClaimedNews, isClaimedBy } from "#app/domain/outbox/claim-news.server.ts";
import type { Destination, OpenDestination, Unsaid } from "#app/domain/outbox/destination.ts";
import { asOfThen, type SaleNews } from "#app/domain/outbox/news.ts";
import { sampleNews } from "#app/domain/outbox/sample-news.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";

/** Reads what is told of a sale; null where the sale is gone. Given by who knows sales: this room does not. */
export type ReadNews = (asked: {
  saleId: string;
  aboutId: string;
  event: NewsEvent;
  at: Date;
}) => Promise<SaleNews | null>;

/**
 * What is sent: drawn at the first try and kept, so that every try says the same. Where a destination hears of each thing
 * sold by itself, the others become rows of their own behind this one.
 * @returns null where the claim was lost
 */
export async function drawNews(
  news: ClaimedNews,
  to: OpenDestination,
  kind: Destination,
  read: ReadNews,
): Promise<string | Unsaid | null> {
  if (news.bodySealed) return unseal(news.bodySealed);
  const { saleId, aboutId, event, createdAt: at } = news;
  const facts = saleId ? await read({ saleId, aboutId, event, at }) : sampleNews(event, news);
  const bodies = facts ? kind.draw(asOfThen(facts), to) : [];
  if ("unsaid" in bodies) return bodies;
  const body = bodies[news.part];
  if (body === undefined) return { unsaid: "nothing-to-say" };
  return db.transaction(async (tx) => {
    const bodySealed = seal(body);
    const kept = await tx
      .update(outbox)
      .set({ bodySealed, clearedAt: null })
      .where(isClaimedBy(news))
      .returning({ id: outbox.id });
    if (kept.length === 0) return null;
    const others = news.part === 0 ? bodies.slice(1) : [];
    if (others.length > 0)
      await tx
        .insert(outbox)
        .values(others.map((other, at) => partOf(news, at + 1, other)))
        .onConflictDoNothing({ target: [outbox.destinationId, outbox.aboutId, outbox.event, outbox.part] });
    return body;
  });
}

function partOf(news: ClaimedNews, part: number, body: string) {
  const { place, destinationId, sellerId, saleId, subjectId, aboutId, event, createdAt } = news;
  const bodySealed = seal(body);
  return { place, destinationId, sellerId, saleId, subjectId, aboutId, event, createdAt, part, bodySealed };
}
