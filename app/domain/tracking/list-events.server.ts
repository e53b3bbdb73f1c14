import { and, count, desc, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { trackingEvents } from "#app/db/schema/tracking.server.ts";
import type { Payload } from "#app/domain/tracking/order-payload.server.ts";
import { type EventType, eventTypeOf, type OrderState } from "#app/domain/tracking/states.ts";

/** What was told, or tried: request without the buyer's document, answer without the token. */
export type LoggedEvent = {
  id: string;
  saleId: string;
  eventType: EventType;
  state: OrderState;
  transactionId: string | null;
  status: "queued" | "sent" | "failed" | "dropped";
  attempts: number;
  responseStatus: number | null;
  responseBody: string | null;
  note: string | null;
  request: string;
  attemptedAt: Date;
};

const SHOWN = 50;

/** A seller's last 50 events that were tried or dropped, newest first. */
export async function listEvents(sellerId: string): Promise<LoggedEvent[]> {
  const rows = await db
    .select()
    .from(trackingEvents)
    .where(and(eq(trackingEvents.sellerId, sellerId), isNotNull(trackingEvents.attemptedAt)))
    .orderBy(sql`${desc(trackingEvents.attemptedAt)} nulls last`)
    .limit(SHOWN);
  return rows.map((row) => ({
    id: row.id,
    saleId: row.saleId,
    eventType: eventTypeOf(row.state),
    state: row.state,
    transactionId: row.transactionId,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.responseStatus,
    responseBody: row.responseBody,
    note: row.note,
    request: JSON.stringify(shown(row.payload as Payload), null, 2),
    attemptedAt: row.attemptedAt!,
  }));
}

/** How many events of a seller wait to be sent. */
export async function countQueued(sellerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(trackingEvents)
    .where(and(eq(trackingEvents.sellerId, sellerId), eq(trackingEvents.status, "queued")));
  return row!.n;
}

function shown(payload: Payload): Payload {
  const document = payload.customer.document ? "[oculto]" : null;
  return { ...payload, customer: { ...payload.customer, document } };
}
