import { and, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { type Family, missing, ofFamily } from "#app/domain/outbox/own-destination.server.ts";
import type { Addressed } from "#app/domain/outbox/telling/claim-news.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { NEWS } from "#app/queue/names.ts";

/** How many are sent again by one press. */
const MOST_AT_ONCE = 1000;

/** Whoever pressed tells it; should they not come to it, a worker does. */
export const IN_HAND = sql`now() + interval '5 seconds'`;

const NOT_NOW = "Nada é enviado enquanto está pausado: reative antes de reenviar.";

/**
 * Queues one piece of news once more, whatever became of it, under the same id.
 * @returns to whom and of what, for who wants to tell it at once
 * @throws Refusal not-found; conflict where it is being sent, or its destination is stopped
 */
export async function resendNews(
  family: Family,
  sellerId: string,
  destinationId: string,
  newsId: string,
): Promise<Addressed> {
  if (!isUuid(newsId)) throw notFound("Envio não encontrado");
  const [news] = await requeue(family, sellerId, destinationId, eq(outbox.id, newsId), IN_HAND);
  if (news) return { destinationId, subjectId: news.subjectId };
  const [known] = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(eq(outbox.id, newsId), eq(outbox.destinationId, destinationId), eq(outbox.sellerId, sellerId)),
    );
  if (!known) throw notFound("Envio não encontrado");
  throw new Refusal("conflict", "Este aviso está sendo enviado agora.");
}

/**
 * The same for all of a span: those that did not get there, or `all`. The oldest thousand of them.
 * @returns how many
 */
export async function resendSpan(
  family: Family,
  sellerId: string,
  destinationId: string,
  span: { from: Date; to: Date; all: boolean },
): Promise<number> {
  const unsent = inArray(outbox.status, ["refused", "too_late", "dropped"]);
  const rows = await requeue(
    family,
    sellerId,
    destinationId,
    and(
      gte(outbox.createdAt, span.from),
      lte(outbox.createdAt, span.to),
      span.all ? or(unsent, eq(outbox.status, "sent")) : unsent,
      isNotNull(outbox.saleId),
    ),
    sql`now()`,
  );
  if (rows.length > 0) await notify(db, "due", NEWS);
  return rows.length;
}

async function requeue(
  family: Family,
  sellerId: string,
  destinationId: string,
  which: SQL | undefined,
  dueAt: SQL,
) {
  if (!isUuid(destinationId)) throw missing(family);
  const [destination] = await db
    .select({ stoppedAt: destinations.stoppedAt })
    .from(destinations)
    .where(
      and(
        eq(destinations.id, destinationId),
        eq(destinations.sellerId, sellerId),
        ofFamily(family),
        isNull(destinations.deletedAt),
      ),
    );
  if (!destination) throw missing(family);
  if (destination.stoppedAt) throw new Refusal("conflict", NOT_NOW);
  const chosen = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.destinationId, destinationId),
        eq(outbox.sellerId, sellerId),
        or(isNull(outbox.claimedUntil), lte(outbox.claimedUntil, sql`now()`)),
        which,
      ),
    )
    .orderBy(outbox.place, outbox.part)
    .limit(MOST_AT_ONCE)
    .for("update", { skipLocked: true });
  return db
    .update(outbox)
    .set({
      ...{ status: "queued", why: null, attempts: 0, nextAt: null, claimedUntil: null, parkedAt: null },
      dueAt,
      requestId: requestId() ?? null,
    })
    .where(inArray(outbox.id, chosen))
    .returning({ subjectId: outbox.subjectId });
}
