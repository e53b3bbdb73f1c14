import { and, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import type { SendingKind } from "#app/domain/delivery/destination.ts";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import type { Family } from "#app/domain/delivery/kind.ts";
import { missing, ofFamily } from "#app/domain/delivery/own-destination.server.ts";
import type { DeliverySubject } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import type { ReadNotification } from "#app/domain/delivery/sending/render-delivery.server.ts";
import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { DELIVERIES } from "#app/queue/names.ts";
import { readBatches } from "#app/queue/read-batches.server.ts";

/** How many deliveries are queued at once: a receiver that was away during a launch missed thousands. */
export const MAX_RESENT = 10_000;
/** Rows of one statement, of which `MAX_RESENT` is a multiple. */
const BATCH_SIZE = 1000;

/** The caller sends it; if it does not, a worker does after this. */
export const CALLER_LEASE_END = sql`now() + interval '5 seconds'`;

const STOPPED_MESSAGE = "Nada é enviado enquanto está pausado: reative antes de reenviar.";

/**
 * Sends one delivery again, at once, with whatever of its subject waits before it.
 * @returns why it was not sent, for its seller; null where it was, whatever the answer
 * @throws Refusal as `resendDelivery`
 */
export async function resendNow(
  family: Family,
  sellerId: string,
  { destinationId, deliveryId }: { destinationId: string; deliveryId: string },
  read: ReadNotification,
): Promise<string | null> {
  await sendSubject(await resendDelivery(family, sellerId, destinationId, deliveryId), read);
  const [delivery] = await db
    .select()
    .from(deliveries)
    .where(ownById(deliveries, sellerId, deliveryId));
  if (!delivery || delivery.attempts > 0) return null;
  if (delivery.status === "queued")
    return "Ainda não foi enviado: outro aviso da mesma venda vai antes, ou quem recebe pediu para esperar. Enviamos sozinhos assim que der.";
  return `Não foi enviado. ${deliveryText({ ...delivery, status: "dropped" }).text ?? "O prazo para este aviso terminou."}`;
}

/**
 * Queues one delivery again, whatever its state, under the same id.
 * @returns its destination and subject, for a caller that sends at once
 * @throws Refusal not-found; conflict where it is being sent, or its destination is stopped
 */
export async function resendDelivery(
  family: Family,
  sellerId: string,
  destinationId: string,
  deliveryId: string,
): Promise<DeliverySubject> {
  if (!isUuid(deliveryId)) throw notFound("Envio não encontrado");
  const [delivery] = await requeue(
    family,
    sellerId,
    destinationId,
    () => eq(deliveries.id, deliveryId),
    CALLER_LEASE_END,
  );
  if (delivery) return { destinationId, subjectId: delivery.subjectId };
  const [known] = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.id, deliveryId),
        eq(deliveries.destinationId, destinationId),
        eq(deliveries.sellerId, sellerId),
      ),
    );
  if (!known) throw notFound("Envio não encontrado");
  throw new Refusal("conflict", "Este aviso está sendo enviado agora.");
}

/**
 * Queues the deliveries of a period again: the failed ones, or `all`; the oldest of them that are still sent, up to `MAX_RESENT`.
 * @returns how many
 */
export async function resendDeliveries(
  family: Family,
  sellerId: string,
  destinationId: string,
  span: { from: Date; to: Date; all: boolean },
): Promise<number> {
  const unsent = inArray(deliveries.status, ["refused", "too_late", "dropped"]);
  const ofSpan = and(
    gte(deliveries.createdAt, span.from),
    lte(deliveries.createdAt, span.to),
    span.all ? or(unsent, eq(deliveries.status, "sent")) : unsent,
    isNotNull(deliveries.saleId),
  );
  const requeueAfter = async (cursor: Cursor) => {
    const isAfter = sql`(${deliveries.sequence}, ${deliveries.part}) > (${cursor.sequence}::bigint, ${cursor.part}::smallint)`;
    const whichOf = (kind: SendingKind) => and(ofSpan, isYoungEnough(kind), isAfter);
    const rows = await requeue(family, sellerId, destinationId, whichOf, sql`now()`);
    return rows.sort((a, b) => a.sequence - b.sequence || a.part - b.part);
  };
  let count = 0;
  for await (const rows of readBatches(FIRST_CURSOR, BATCH_SIZE, requeueAfter)) {
    await notify(db, "due", DELIVERIES);
    count += rows.length;
    if (count >= MAX_RESENT) break;
  }
  return count;
}

/** Whether a delivery is still sent: later its text is gone, or its receiver takes it no more. */
function isYoungEnough({ maxAge }: SendingKind): SQL {
  const ages = Object.fromEntries(DELIVERY_EVENTS.map((event) => [event, maxAge(event) / SECOND]));
  return sql`${deliveries.createdAt} > now() - make_interval(secs => (${JSON.stringify(ages)}::text::jsonb ->> ${deliveries.event})::float)`;
}

/** After which delivery a batch begins, in the order in which they are sent. */
type Cursor = Pick<typeof deliveries.$inferSelect, "sequence" | "part">;
const FIRST_CURSOR: Cursor = { sequence: 0, part: 0 };

async function requeue(
  family: Family,
  sellerId: string,
  destinationId: string,
  whichOf: (kind: SendingKind) => SQL | undefined,
  scheduledAt: SQL,
) {
  if (!isUuid(destinationId)) throw missing(family);
  const [destination] = await db
    .select({ kind: destinations.kind, stoppedAt: destinations.stoppedAt })
    .from(destinations)
    .where(
      and(ownById(destinations, sellerId, destinationId), ofFamily(family), isNull(destinations.deletedAt)),
    );
  if (!destination) throw missing(family);
  if (destination.stoppedAt) throw new Refusal("conflict", STOPPED_MESSAGE);
  const chosen = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.destinationId, destinationId),
        eq(deliveries.sellerId, sellerId),
        or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, sql`now()`)),
        whichOf(kindOf(destination.kind)),
      ),
    )
    .orderBy(deliveries.sequence, deliveries.part)
    .limit(BATCH_SIZE)
    .for("update", { skipLocked: true });
  return db
    .update(deliveries)
    .set({
      ...{
        status: "queued",
        reason: null,
        attempts: 0,
        nextAttemptAt: null,
        leasedUntil: null,
        parkedAt: null,
      },
      scheduledAt,
      requestId: requestId() ?? null,
    })
    .where(inArray(deliveries.id, chosen))
    .returning({
      subjectId: deliveries.subjectId,
      sequence: deliveries.sequence,
      part: deliveries.part,
    });
}
