import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { trackingEvents } from "#app/db/schema/tracking.server.ts";
import { ageLimitDays, isTooOld } from "#app/domain/tracking/age-limit.ts";
import type { Payload } from "#app/domain/tracking/order-payload.server.ts";
import { isOlder, type OrderState } from "#app/domain/tracking/states.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Longer than a call may take: a claim that outlives it belonged to a process that died. */
const CLAIM_FOR = 20 * SECOND;

export type ClaimedEvent = {
  id: string;
  sellerId: string;
  saleId: string;
  state: OrderState;
  attempts: number;
  payload: Payload;
  /** What the claim is known by: nobody else's claim of this row ends at the same moment. */
  claimedUntil: Date;
};

/** The one event of an order that may be sent now; `busy`: another process is sending one. */
export type EventClaim =
  | { kind: "event"; event: ClaimedEvent }
  | { kind: "busy"; until: Date }
  | { kind: "nothing" };

/**
 * Takes the oldest state of an order that is still to be told. One at a time for each order, whatever the number of
 * workers. What became pointless is dropped with a note: older than a state that was told, or too old for UTMify. A state that
 * was tried `most` times is given up, also where those who tried died before they could book it.
 */
export function claimEvent(saleId: string, now: Date, most: number): Promise<EventClaim> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tracking:${saleId}`}, 0))`);
    const events = await tx
      .select()
      .from(trackingEvents)
      .where(eq(trackingEvents.saleId, saleId))
      .orderBy(asc(trackingEvents.createdAt), asc(trackingEvents.resend));
    const held = events.find((e) => e.claimedUntil && e.claimedUntil > now);
    if (held) return { kind: "busy", until: held.claimedUntil! };
    const told = events.filter((e) => e.status === "sent");
    const queued = events.filter((e) => e.status === "queued");
    const late = queued.filter((e) => told.some((t) => isOlder(e.state, t.state)));
    await end(tx, "dropped", late, "Não enviado: um estado mais novo deste pedido já foi informado.");
    const rest = queued.filter((e) => !late.includes(e));
    const old = rest.filter((e) => isTooOld(e.state, orderedAt(e.payload as Payload), now));
    for (const event of old)
      await end(
        tx,
        "dropped",
        [event],
        `Não enviado: o pedido tem mais de ${ageLimitDays(event.state)} dias.`,
      );
    const tried = rest.filter((e) => !old.includes(e) && e.attempts >= most);
    await end(tx, "failed", tried, `Não enviado: sem resposta em ${most} tentativas.`);
    const [next] = rest.filter((e) => !old.includes(e) && !tried.includes(e)).sort(byState);
    if (!next) return { kind: "nothing" };
    const attempts = next.attempts + 1;
    const claimedUntil = new Date(now.getTime() + CLAIM_FOR);
    await tx
      .update(trackingEvents)
      .set({ attempts, attemptedAt: now, claimedUntil })
      .where(eq(trackingEvents.id, next.id));
    return { kind: "event", event: { ...next, attempts, claimedUntil, payload: next.payload as Payload } };
  });
}

/**
 * Whether a claim still holds, asked when nothing is left to do but the call; it then holds for as long as a call may take.
 * Who slept since the claim must not call: another may have told UTMify meanwhile.
 */
export async function keepClaim(event: ClaimedEvent): Promise<boolean> {
  const now = new Date();
  if (event.claimedUntil <= now) return false;
  const claimedUntil = new Date(now.getTime() + CLAIM_FOR);
  const kept = await db
    .update(trackingEvents)
    .set({ claimedUntil })
    .where(isClaimedBy(event))
    .returning({ id: trackingEvents.id });
  // The answer may have come late: what counts is how much of the claim is left by now.
  if (kept.length === 0 || Date.now() - now.getTime() > CLAIM_FOR / 4) return false;
  event.claimedUntil = claimedUntil;
  return true;
}

/** The row for as long as nobody else took it, nor said how it ended. */
export function isClaimedBy(event: ClaimedEvent) {
  return and(eq(trackingEvents.id, event.id), eq(trackingEvents.claimedUntil, event.claimedUntil));
}

function byState(a: { state: OrderState }, b: { state: OrderState }): number {
  return isOlder(a.state, b.state) ? -1 : isOlder(b.state, a.state) ? 1 : 0;
}

async function end(
  tx: Tx,
  status: "dropped" | "failed",
  events: { id: string }[],
  note: string,
): Promise<void> {
  if (events.length === 0) return;
  await tx
    .update(trackingEvents)
    .set({ status, note, attemptedAt: new Date() })
    .where(
      inArray(
        trackingEvents.id,
        events.map((e) => e.id),
      ),
    );
}

function orderedAt(payload: Payload): Date {
  return new Date(`${payload.createdAt.replace(" ", "T")}Z`);
}
