import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { type NewsTry, outbox } from "#app/db/schema/outbox.server.ts";
import { cutPage } from "#app/kit/cut-page.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** What was told, or is to be: with the body as it was sent and the answer. */
export type LoggedNews = {
  id: string;
  place: number;
  event: (typeof outbox.$inferSelect)["event"];
  saleId: string | null;
  part: number;
  status: (typeof outbox.$inferSelect)["status"];
  why: string | null;
  attempts: number;
  tries: NewsTry[];
  responseStatus: number | null;
  responseBody: string | null;
  /** Null before the first try, and after 30 days. */
  body: string | null;
  createdAt: Date;
  nextAt: Date | null;
  cleared: boolean;
};

const PAGE = 25;

/** A page of what a destination was told, newest first; `before` and `after` are places. */
export async function listNews(
  sellerId: string,
  destinationId: string,
  {
    before = null,
    after = null,
    limit = PAGE,
  }: { before?: number | null; after?: number | null; limit?: number },
) {
  const rows = await db
    .select()
    .from(outbox)
    .where(
      and(
        eq(outbox.sellerId, sellerId),
        eq(outbox.destinationId, destinationId),
        after ? gt(outbox.place, after) : before ? lt(outbox.place, before) : undefined,
      ),
    )
    .orderBy(after ? asc(outbox.place) : desc(outbox.place))
    .limit(limit + 1);
  const page = cutPage(rows, { limit, before, after });
  return { ...page, items: page.items.map(asLogged) };
}

function asLogged(row: typeof outbox.$inferSelect): LoggedNews {
  const { id, place, event, saleId, part, status, why, attempts, tries, responseStatus, responseBody } = row;
  return {
    id,
    place,
    event,
    saleId,
    part,
    status,
    why,
    attempts,
    tries,
    responseStatus,
    responseBody,
    body: row.bodySealed && unseal(row.bodySealed),
    createdAt: row.createdAt,
    nextAt: row.nextAt,
    cleared: row.clearedAt !== null,
  };
}
