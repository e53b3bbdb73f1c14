import { and, count, desc, eq, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { noteOf } from "#app/domain/outbox/utmify/note.server.ts";
import { type EventType, eventTypeOf, type OrderState, stateOf } from "#app/domain/outbox/utmify/states.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { unseal } from "#app/platform/secrets.server.ts";

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
  return (await listNews(sellerId))
    .sort((a, b) => b.attemptedAt.getTime() - a.attemptedAt.getTime())
    .slice(0, SHOWN);
}

/** How many events of a seller wait to be sent. */
export async function countQueued(sellerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(outbox)
    .innerJoin(
      destinations,
      and(
        eq(destinations.id, outbox.destinationId),
        eq(destinations.sellerId, sellerId),
        eq(destinations.kind, "utmify"),
      ),
    )
    // What waits is found by its subject alone: docs/decisions/rows-are-their-own-queue.md.
    .where(sql`${outbox.status} = 'queued' and ${outbox.subjectId} > '00000000-0000-0000-0000-000000000000'`);
  return row!.n;
}

const STATUS = {
  queued: "queued",
  sent: "sent",
  refused: "failed",
  too_late: "dropped",
  dropped: "dropped",
} as const;

/** Of each of its destinations by itself: there is one, and for a day those that were removed. So the newest are found by an index. */
async function listNews(sellerId: string): Promise<LoggedEvent[]> {
  const own = await db
    .select({ id: destinations.id })
    .from(destinations)
    .where(and(eq(destinations.sellerId, sellerId), eq(destinations.kind, "utmify")));
  return (await Promise.all(own.map(({ id }) => listTold(id)))).flat();
}

async function listTold(destinationId: string): Promise<LoggedEvent[]> {
  const rows = await db
    .select({
      news: outbox,
      // The payment's number at its provider, for the seller to find it by.
      transactionId: sql<string | null>`(
        select c.provider_id from ${charges} c where c.sale_id = ${outbox.saleId} and c.surplus_at is null
        order by (c.status = 'paid') desc, c.created_at desc limit 1)`,
    })
    .from(outbox)
    .where(
      and(
        eq(outbox.destinationId, destinationId),
        or(sql`${outbox.status} <> 'queued'`, sql`${outbox.attempts} > 0`),
      ),
    )
    .orderBy(desc(outbox.place))
    .limit(SHOWN);
  return rows.map(({ news, transactionId }) => {
    const { id, saleId, event, status, attempts, responseStatus, responseBody, bodySealed } = news;
    const state = stateOf(event)!;
    return {
      ...{ id, saleId: saleId!, eventType: eventTypeOf(state), state, transactionId, status: STATUS[status] },
      ...{ attempts, responseStatus, responseBody, note: noteOf(news) },
      request: shown(bodySealed ? (parseOutside(unseal(bodySealed)) as Order) : {}),
      attemptedAt: news.triedAt ?? news.createdAt,
    };
  });
}

type Order = { customer?: { document?: string | null } };

function shown({ customer, ...order }: Order): string {
  const document = customer?.document ? "[oculto]" : null;
  return JSON.stringify(customer ? { ...order, customer: { ...customer, document } } : order, null, 2);
}
