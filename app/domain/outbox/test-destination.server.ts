import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { type destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { type NewsWords, wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { type Family, ownDestination } from "#app/domain/outbox/own-destination.server.ts";
import { IN_HAND } from "#app/domain/outbox/resend-news.server.ts";
import { tellSubject } from "#app/domain/outbox/telling/tell-news.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

const WORDS: Record<Family, { paused: string; deaf: string }> = {
  webhook: {
    paused: "Este webhook está pausado: reative o webhook antes de testar.",
    deaf: "Este webhook não recebe este evento.",
  },
  pixel: {
    paused: "Este pixel está pausado: reative o pixel antes de testar.",
    deaf: "Este pixel não recebe este evento.",
  },
  members: {
    paused: "Esta área de membros está pausada: reative a área antes de testar.",
    deaf: "Esta área de membros não recebe este evento.",
  },
};

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
): Promise<{ status: string; words: NewsWords; answer: string }> {
  const subjectId = randomUUID();
  const news = await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    const { paused, deaf } = WORDS[family];
    if (row.stoppedAt) throw new Refusal("conflict", paused);
    if (!row.events.includes(event)) throw new Refusal("conflict", deaf);
    await prepare(tx, row);
    const [queued] = await tx
      .insert(outbox)
      .values({ destinationId: id, sellerId, subjectId, aboutId: subjectId, event, dueAt: IN_HAND })
      .returning({ id: outbox.id });
    return queued!;
  });
  await tellSubject({ destinationId: id, subjectId }, async () => null);
  const [row] = await db.select().from(outbox).where(eq(outbox.id, news.id));
  return { status: row!.status, words: wordsOf(row!), answer: row!.responseBody ?? "" };
}
