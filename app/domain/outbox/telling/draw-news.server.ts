import type { NewsEvent } from "#app/db/schema/lists.ts";
import type { Destination, OpenDestination, Unsaid } from "#app/domain/outbox/destination.ts";
import { asOfThen, type SaleNews } from "#app/domain/outbox/news.ts";
import { sampleNews } from "#app/domain/outbox/sample-news.ts";
import type { ClaimedNews } from "#app/domain/outbox/telling/claim-news.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** Reads what is told of a sale; null where the sale is gone. Given by who knows sales: this room does not. */
export type ReadNews = (asked: {
  saleId: string;
  aboutId: string;
  event: NewsEvent;
  at: Date;
  /** Whom it is about where that is not who the sale names now. */
  email: string | null;
}) => Promise<SaleNews | null>;

/**
 * What is sent, at the first try: from the sale without what happened to it later. Where a destination hears of each thing
 * sold by itself, the others follow.
 */
export async function drawNews(
  news: ClaimedNews,
  to: OpenDestination,
  kind: Destination,
  read: ReadNews,
): Promise<string[] | Unsaid> {
  const { saleId, aboutId, event, createdAt: at } = news;
  const email = news.aboutEmailSealed && unseal(news.aboutEmailSealed);
  const facts = saleId ? await read({ saleId, aboutId, event, at, email }) : sampleNews(event, news);
  const bodies = facts ? kind.draw(asOfThen(facts), to) : [];
  if ("unsaid" in bodies) return bodies;
  const [body, ...others] = bodies.slice(news.part);
  if (body === undefined) return { unsaid: "nothing-to-say" };
  return news.part === 0 ? [body, ...others] : [body];
}
