import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { outbox } from "#app/db/schema/outbox.server.ts";
import { type NewsWords, wordsOf } from "#app/domain/outbox/news-words.ts";
import { tellNews } from "#app/domain/outbox/tell-news.server.ts";
import { ownWebhook } from "#app/domain/outbox/webhook/own-webhook.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Tells a webhook of an invented sale, in its own form and signed as any other, and waits for the answer.
 * @throws Refusal not-found; conflict where it is paused or does not hear of the event
 */
export async function testWebhook(
  sellerId: string,
  id: string,
  event: NewsEvent,
): Promise<{ status: string; words: NewsWords }> {
  const subjectId = randomUUID();
  const news = await db.transaction(async (tx) => {
    const webhook = await ownWebhook(tx, sellerId, id);
    if (webhook.stoppedAt)
      throw new Refusal("conflict", "Este webhook está pausado: ligue-o antes de testar.");
    if (!webhook.events.includes(event))
      throw new Refusal("conflict", "Este webhook não recebe este evento.");
    const [row] = await tx
      .insert(outbox)
      .values({ destinationId: id, sellerId, subjectId, aboutId: subjectId, event })
      .returning({ id: outbox.id });
    return row!;
  });
  await tellNews({ destinationId: id, subjectId }, async () => null);
  const [row] = await db.select().from(outbox).where(eq(outbox.id, news.id));
  return { status: row!.status, words: wordsOf(row!) };
}
