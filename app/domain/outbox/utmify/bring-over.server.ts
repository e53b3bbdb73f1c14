import { and, asc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { trackingEvents } from "#app/db/schema/tracking.server.ts";
import { NEWS_OF } from "#app/domain/outbox/utmify/states.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";

type Kept = typeof trackingEvents.$inferSelect;

/**
 * Moves what versions before kept of a sale in `tracking_events` to the outbox, told or not: from then on order and
 * uniqueness are the outbox's. Their rows stay, emptied, so that such a version, should it still run, queues none of them
 * again. It goes with that table: docs/decisions/utmify-moves-to-the-outbox.md.
 * @returns until when one of them is in somebody's hand, or now where they were moved; null where there were none
 */
export async function bringOver(saleId: string): Promise<Date | null> {
  const isOfSale = and(eq(trackingEvents.saleId, saleId), ne(trackingEvents.status, "moved"));
  const [any] = await db.select({ id: trackingEvents.id }).from(trackingEvents).where(isOfSale).limit(1);
  if (!any) return null;
  return db.transaction(async (tx) => {
    // As those versions claim.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tracking:${saleId}`}, 0))`);
    const kept = await tx
      .select()
      .from(trackingEvents)
      .where(isOfSale)
      .orderBy(asc(trackingEvents.createdAt), asc(trackingEvents.resend));
    const now = new Date();
    const held = kept.find(({ claimedUntil }) => claimedUntil && claimedUntil > now);
    if (held) return held.claimedUntil;
    const [first] = kept;
    if (!first) return now;
    const [destination] = await tx
      .select({ id: destinations.id })
      .from(destinations)
      .where(
        and(
          eq(destinations.sellerId, first.sellerId),
          eq(destinations.kind, "utmify"),
          isNull(destinations.deletedAt),
        ),
      );
    // Of what was sent again by hand the last one counts.
    const last = [...new Map(kept.map((event) => [event.state, event])).values()];
    const heard = new Set(kept.flatMap(({ status, state }) => (status === "sent" ? [state] : [])));
    if (destination)
      await tx
        .insert(outbox)
        .values(last.map((event) => asNews(event, destination.id, heard.has(event.state))))
        .onConflictDoUpdate({
          target: [outbox.destinationId, outbox.aboutId, outbox.event, outbox.part],
          set: {
            ...{
              status: "sent",
              why: "taken",
              claimedUntil: null,
              nextAt: null,
              triedAt: sql`excluded.tried_at`,
            },
            ...{ responseStatus: sql`excluded.response_status`, responseBody: sql`excluded.response_body` },
            ...{
              bodySealed: sql`excluded.body_sealed`,
              attempts: sql`excluded.attempts`,
              tries: sql`${outbox.tries} || excluded.tries`,
            },
          },
          setWhere: sql`excluded.status = 'sent' and ${outbox.status} <> 'sent'`,
        });
    await tx
      .update(trackingEvents)
      .set({
        ...{ status: "moved", payload: {}, responseBody: null, note: null, claimedUntil: null },
        ...{ attemptedAt: null, clearedAt: now },
      })
      // Those alone that were read: such a version queues without that lock.
      .where(
        inArray(
          trackingEvents.id,
          kept.map(({ id }) => id),
        ),
      );
    return now;
  });
}

function asNews(event: Kept, destinationId: string, isHeard: boolean): typeof outbox.$inferInsert {
  const { sellerId, saleId, state, attempts, responseStatus, responseBody, createdAt } = event;
  const body = bodyOf(event);
  const at = (event.attemptedAt ?? createdAt).toISOString();
  return {
    ...{ destinationId, sellerId, saleId, subjectId: saleId, aboutId: saleId, event: NEWS_OF[state] },
    ...{ attempts, responseStatus, responseBody, createdAt, ...endOf(event) },
    triedAt: event.attemptedAt,
    tries: isHeard ? [{ at, result: "taken", status: responseStatus ?? 0, ms: 0 }] : [],
    bodySealed: body && seal(body),
    clearedAt: event.clearedAt,
  };
}

/** Its words were made where it was kept; here they are made of kinds. */
function endOf({ status, responseStatus, note }: Kept): Pick<typeof outbox.$inferInsert, "status" | "why"> {
  if (status === "queued") return { status, why: null };
  if (status === "sent") return { status, why: "taken" };
  if (status === "failed") {
    if (responseStatus && responseStatus >= 500) return { status: "refused", why: "status" };
    const isToken = [401, 403, 404].includes(responseStatus ?? 0);
    return { status: "refused", why: isToken ? "token" : responseStatus ? "rejected" : "lost" };
  }
  if (note?.includes("dias")) return { status: "too_late", why: null };
  return { status: "dropped", why: note?.includes("desligado") ? "stopped" : "outdated" };
}

/** The order as it was kept, with the buyer's document readable; null where its buyer was taken out. */
function bodyOf({ payload, clearedAt }: Kept): string | null {
  const { customer, ...order } = payload as { customer?: { document?: string | null } };
  if (clearedAt || !customer) return null;
  const document = customer.document ? unseal(customer.document) : null;
  return JSON.stringify({ ...order, customer: { ...customer, document } });
}
