import { and, count, desc, eq, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { deliveryNote } from "#app/domain/delivery/utmify/delivery-note.server.ts";
import { type EventType, eventTypeOf, type OrderState, stateOf } from "#app/domain/delivery/utmify/states.ts";
import { isQueued } from "#app/domain/delivery/waiting.server.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** An event sent or attempted: request without the buyer's document, answer without the token. */
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

const MAX_LISTED = 50;

/** A seller's last 50 events that were attempted or dropped, newest first. */
export async function listEvents(sellerId: string): Promise<LoggedEvent[]> {
  return (await listDelivered(sellerId))
    .sort((a, b) => b.attemptedAt.getTime() - a.attemptedAt.getTime())
    .slice(0, MAX_LISTED);
}

/** How many events of a seller wait to be sent. */
export async function countQueued(sellerId: string): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`coalesce(sum(waiting.n), 0)::int` })
    .from(destinations)
    .crossJoinLateral(
      db
        .select({ n: count().as("n") })
        .from(deliveries)
        .where(and(eq(deliveries.destinationId, destinations.id), isQueued(sql`${deliveries}`)))
        .as("waiting"),
    )
    .where(and(eq(destinations.sellerId, sellerId), eq(destinations.kind, "utmify")));
  return row!.n;
}

const STATUS = {
  queued: "queued",
  sent: "sent",
  refused: "failed",
  too_late: "dropped",
  dropped: "dropped",
} as const;

/** One query per destination (there is one, and for a day those that were removed), so that an index finds the newest. */
async function listDelivered(sellerId: string): Promise<LoggedEvent[]> {
  const own = await db
    .select({ id: destinations.id })
    .from(destinations)
    .where(and(eq(destinations.sellerId, sellerId), eq(destinations.kind, "utmify")));
  return (await Promise.all(own.map(({ id }) => listOfDestination(sellerId, id)))).flat();
}

async function listOfDestination(sellerId: string, destinationId: string): Promise<LoggedEvent[]> {
  const rows = await db
    .select({
      delivery: deliveries,
      // The payment's id at its provider, for the seller to find it by. Drizzle writes a column without its table where a
      // query has one table only: here that would be the column of `charges`.
      transactionId: sql<string | null>`(
        select c.provider_id from ${charges} c where c.seller_id = deliveries.seller_id and c.sale_id = deliveries.sale_id and c.overpaid_at is null
        order by (c.status = 'paid') desc, c.created_at desc limit 1)`,
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.sellerId, sellerId),
        eq(deliveries.destinationId, destinationId),
        or(sql`${deliveries.status} <> 'queued'`, sql`${deliveries.attempts} > 0`),
      ),
    )
    .orderBy(desc(deliveries.sequence))
    .limit(MAX_LISTED);
  return rows.map(({ delivery, transactionId }) => {
    const { id, saleId, event, status, attempts, responseStatus, responseBody, bodySealed } = delivery;
    const state = stateOf(event)!;
    return {
      ...{ id, saleId: saleId!, eventType: eventTypeOf(state), state, transactionId, status: STATUS[status] },
      ...{ attempts, responseStatus, responseBody, note: deliveryNote(delivery) },
      request: redactedRequest(bodySealed ? (parseUntrusted(unseal(bodySealed)) as Order) : {}),
      attemptedAt: delivery.attemptedAt ?? delivery.createdAt,
    };
  });
}

type Order = { customer?: { document?: string | null } };

function redactedRequest({ customer, ...order }: Order): string {
  const document = customer?.document ? "[oculto]" : null;
  return JSON.stringify(customer ? { ...order, customer: { ...customer, document } } : order, null, 2);
}
