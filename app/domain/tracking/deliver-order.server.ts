import { and, eq, inArray, ne } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ORDER_STATES, trackingEvents } from "#app/db/schema/tracking.server.ts";
import {
  type ClaimedEvent,
  claimEvent,
  isClaimedBy,
  keepClaim,
} from "#app/domain/tracking/claim-event.server.ts";
import { findConnection } from "#app/domain/tracking/connection.server.ts";
import { openPayload } from "#app/domain/tracking/order-payload.server.ts";
import { type Posted, postOrder } from "#app/domain/tracking/post-order.server.ts";
import { isOlder } from "#app/domain/tracking/states.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { SEND_ORDER } from "#app/queue/names.ts";

/** How long to wait after each failure that may pass; after the last one the state is given up. */
const PAUSES = [
  2 * SECOND,
  10 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  DAY,
];
const MOST_ATTEMPTS = PAUSES.length + 1;

/**
 * Tells UTMify all that is queued of an order, state by state. A failure that may pass is tried again after a pause,
 * unless a newer state waits behind it: every call carries the whole order, so the newer one says it all. A state is told
 * again only where nobody knows whether UTMify heard it: the answer was lost, or whoever sent it is gone.
 */
export async function deliverOrder(saleId: string): Promise<void> {
  for (;;) {
    const now = new Date();
    const claim = await claimEvent(saleId, now, MOST_ATTEMPTS);
    if (claim.kind === "nothing") return;
    if (claim.kind === "busy") return enqueue(db, SEND_ORDER, { saleId }, { key: saleId, when: claim.until });
    const { event } = claim;
    const connection = await findConnection(event.sellerId);
    if (!connection.enabled || !connection.token) {
      await book(event, { status: "dropped", note: "Não enviado: o rastreamento está desligado." });
      continue;
    }
    const { token, apiUrl } = connection;
    if (!(await keepClaim(event))) continue;
    const posted = await postOrder({ token, apiUrl }, openPayload(event.payload));
    const when = await bookAnswer(event, posted, now);
    if (when) return enqueue(db, SEND_ORDER, { saleId }, { key: saleId, when });
  }
}

/** @returns when to try again, or null where nothing more is to be tried */
async function bookAnswer(event: ClaimedEvent, posted: Posted, now: Date): Promise<Date | null> {
  const answer = { responseStatus: posted.status, responseBody: posted.body, note: posted.note };
  const about = { saleId: event.saleId, state: event.state, status: posted.status, attempt: event.attempts };
  if (posted.result === "taken") {
    await bookTaken(event, answer);
    log.info(about, "order reported");
    return null;
  }
  log.warn({ ...about, note: posted.note }, "order not reported");
  if (posted.result === "again" && (await isNewerQueued(event))) {
    const note = `${posted.note} Um estado mais novo deste pedido será informado no lugar.`;
    await book(event, { status: "dropped", ...answer, note });
    return null;
  }
  const pause = PAUSES[event.attempts - 1];
  if (posted.result === "refused" || pause === undefined) {
    await book(event, { status: "failed", ...answer });
    return null;
  }
  if (!(await book(event, { status: "queued", ...answer }))) return null;
  return new Date(now.getTime() + Math.max(pause, Math.min(posted.retryAfter * SECOND, HOUR)));
}

/** Says how a send ended, unless the claim was lost meanwhile: then whoever took it over says so. @returns whether it said */
async function book(
  event: ClaimedEvent,
  outcome: Partial<typeof trackingEvents.$inferInsert>,
): Promise<boolean> {
  const said = await db
    .update(trackingEvents)
    .set({ ...outcome, claimedUntil: null })
    .where(isClaimedBy(event))
    .returning({ id: trackingEvents.id });
  return said.length > 0;
}

/** UTMify knows it, whoever holds the claim by now: it need not be told again. */
async function bookTaken(
  event: ClaimedEvent,
  answer: Partial<typeof trackingEvents.$inferInsert>,
): Promise<void> {
  await db
    .update(trackingEvents)
    .set({ ...answer, status: "sent", claimedUntil: null })
    .where(and(eq(trackingEvents.id, event.id), ne(trackingEvents.status, "sent")));
}

async function isNewerQueued({ saleId, state }: ClaimedEvent): Promise<boolean> {
  const newer = ORDER_STATES.filter((other) => isOlder(state, other));
  if (newer.length === 0) return false;
  const found = await db
    .select({ id: trackingEvents.id })
    .from(trackingEvents)
    .where(
      and(
        eq(trackingEvents.saleId, saleId),
        eq(trackingEvents.status, "queued"),
        inArray(trackingEvents.state, newer),
      ),
    )
    .limit(1);
  return found.length > 0;
}
