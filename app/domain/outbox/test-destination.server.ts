import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { type destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { type NewsWords, wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { type Family, ownDestination } from "#app/domain/outbox/own-destination.server.ts";
import { IN_HAND } from "#app/domain/outbox/resend-news.server.ts";
import { tellSubject } from "#app/domain/outbox/tell-news.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

type Prepare = (tx: Tx, row: typeof destinations.$inferSelect) => Promise<void>;

/**
 * Tells a destination of an invented sale, by the way any other goes, and waits for the answer.
 * @param prepare what is done with its row before
 * @throws Refusal not-found; conflict where it is paused or does not hear of the event
 */
export async function testDestination(
  family: Family,
  sellerId: string,
  id: string,
  event: NewsEvent,
  prepare: Prepare = async () => {},
): Promise<{ status: string; words: NewsWords }> {
  const subjectId = randomUUID();
  const news = await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    const [This, called] = family === "webhook" ? ["Este webhook", "webhook"] : ["Este pixel", "pixel"];
    if (row.stoppedAt)
      throw new Refusal("conflict", `${This} está pausado: ligue o ${called} antes de testar.`);
    if (!row.events.includes(event)) throw new Refusal("conflict", `${This} não recebe este evento.`);
    await prepare(tx, row);
    const [queued] = await tx
      .insert(outbox)
      .values({ destinationId: id, sellerId, subjectId, aboutId: subjectId, event, dueAt: IN_HAND })
      .returning({ id: outbox.id });
    return queued!;
  });
  await tellSubject({ destinationId: id, subjectId }, async () => null);
  const [row] = await db.select().from(outbox).where(eq(outbox.id, news.id));
  return { status: row!.status, words: wordsOf(row!) };
}
