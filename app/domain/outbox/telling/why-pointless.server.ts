import { and, eq, inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { outbox } from "#app/db/schema/outbox.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import type { ClaimedNews } from "#app/domain/outbox/telling/claim-news.server.ts";

/** Why there is no use in telling something, as its row says it; null where there is. */
export async function whyPointless(news: ClaimedNews, kind: Destination, now: Date) {
  const order = kind.keepsOrders && news.saleId ? await readOrder(news) : null;
  const further = furtherThan(news.event, kind);
  if (order?.attempted.some((event) => further.includes(event)))
    return { status: "dropped" as const, why: "outdated" };
  const since = order?.createdAt ?? news.createdAt;
  if (now.getTime() - since.getTime() > kind.tellWithin(news.event))
    return { status: "too_late" as const, why: news.why };
  // Whoever made the last try died before they could say how it went.
  if (news.attempts > kind.pauses.length) return { status: "refused" as const, why: "lost" };
  return null;
}

/** Whether what leads its order further waits to be told, and says all that this would. */
export async function givesWay(tx: Tx, news: ClaimedNews, kind: Destination): Promise<boolean> {
  const further = furtherThan(news.event, kind);
  if (further.length === 0) return false;
  const [row] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isOfSubject(news), eq(outbox.status, "queued"), inArray(outbox.event, further)))
    .limit(1);
  return row !== undefined;
}

/** The events that lead an order further than this one. */
function furtherThan(event: NewsEvent, { keepsOrders = {} }: Destination): NewsEvent[] {
  const stage = keepsOrders[event] ?? 0;
  return (Object.keys(keepsOrders) as NewsEvent[]).filter((other) => keepsOrders[other]! > stage);
}

/** When it was ordered, and what they heard of it, or may have: an answer that was lost, and what is being sent again, too. */
async function readOrder(news: ClaimedNews) {
  const [order] = await db
    .select({
      createdAt: sales.createdAt,
      attempted: sql<NewsEvent[]>`array(select event from ${outbox} where ${isOfSubject(news)}
        and (status = 'sent' or attempts > 0 or tries @> '[{"result": "taken"}]'))`,
    })
    .from(sales)
    .where(eq(sales.id, news.saleId!));
  return order ?? null;
}

function isOfSubject({ destinationId, subjectId, saleId }: ClaimedNews) {
  const sale = saleId ? eq(outbox.saleId, saleId) : undefined;
  return and(eq(outbox.destinationId, destinationId), eq(outbox.subjectId, subjectId), sale);
}
