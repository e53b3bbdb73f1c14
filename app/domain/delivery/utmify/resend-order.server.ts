import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { sales } from "#app/db/schema/sales.server.ts";
import { CALLER_LEASE_END } from "#app/domain/delivery/resend-delivery.server.ts";
import type { ReadNotification } from "#app/domain/delivery/sending/render-delivery.server.ts";
import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { findUtmify } from "#app/domain/delivery/utmify/connection.server.ts";
import { deliveryNote } from "#app/domain/delivery/utmify/delivery-note.server.ts";
import { ageLimitDays, EVENT_OF_STATE, type OrderState } from "#app/domain/delivery/utmify/states.ts";
import type { ConnectionTest } from "#app/domain/delivery/utmify/test-connection.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { requestId } from "#app/platform/request-id.server.ts";

type Sale = Pick<typeof sales.$inferSelect, "id" | "sellerId" | "createdAt">;

/**
 * Sends UTMify an order's present state again at its seller's request, whatever the switches say, and waits for the answer.
 * @param partialRefundId the newest partial refund of an order that is still paid; null where there is none
 * @throws Refusal conflict where UTMify is stopped, or the order is too old or being sent at this moment
 */
export async function resendOrder(
  sale: Sale,
  { state, partialRefundId }: { state: OrderState; partialRefundId: string | null },
  read: ReadNotification,
): Promise<ConnectionTest> {
  const destinationId = await findDestination(sale.sellerId);
  const days = ageLimitDays(state);
  if (Date.now() - sale.createdAt.getTime() > days * DAY)
    throw new Refusal("conflict", `o pedido tem mais de ${days} dias e a UTMify não o aceita mais`);
  const fact = partialRefundId
    ? ({ aboutId: partialRefundId, event: "sale.partially_refunded" } as const)
    : { aboutId: sale.id, event: EVENT_OF_STATE[state] };
  const deliveryId = await requeueOrder(sale, fact, destinationId);
  if (!deliveryId) throw new Refusal("conflict", "este evento já está sendo enviado");
  await sendSubject({ destinationId, subjectId: sale.id }, read);
  const [delivery] = await db
    .select()
    .from(deliveries)
    .where(ownById(deliveries, sale.sellerId, deliveryId));
  // What UTMify took before stays taken where it is not sent again: a newer state was.
  const wasSent = delivery !== undefined && delivery.attempts > 0;
  if (wasSent && delivery.status === "sent")
    return { success: true, message: "Evento reenviado com sucesso!" };
  const retryNote = delivery?.status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  if (!wasSent && retryNote)
    return {
      success: false,
      message: `A UTMify pediu para esperar, ou outro evento dele está sendo enviado.${retryNote}`,
    };
  const statusText = wasSent && delivery.responseStatus ? `HTTP ${delivery.responseStatus}. ` : "";
  const note =
    delivery && deliveryNote(delivery.status === "sent" ? { ...delivery, status: "dropped" } : delivery);
  return { success: false, message: `${statusText}${note ?? "sem resposta"}${retryNote}` };
}

async function findDestination(sellerId: string): Promise<string> {
  const row = await findUtmify(sellerId);
  if (!row || row.stoppedAt)
    throw new Refusal("conflict", "o rastreamento está desligado ou sem token da API");
  return row.id;
}

/** Renders it anew, and moves it to the top of the log. @returns its id; null while a worker holds its lease */
async function requeueOrder(
  { id: saleId, sellerId }: Sale,
  { aboutId, event }: { aboutId: string; event: DeliveryEvent },
  destinationId: string,
): Promise<string | null> {
  const fresh = {
    attempts: 0,
    bodySealed: null,
    requestId: requestId() ?? null,
    scheduledAt: CALLER_LEASE_END,
  };
  const isFree = or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, sql`now()`));
  const [requeued] = await db
    .update(deliveries)
    .set({
      ...{ ...fresh, status: "queued", reason: null, nextAttemptAt: null, leasedUntil: null, parkedAt: null },
      sequence: sql`nextval(pg_get_serial_sequence('deliveries', 'sequence'))`,
    })
    .where(
      and(
        ...[eq(deliveries.sellerId, sellerId), eq(deliveries.destinationId, destinationId)],
        ...[eq(deliveries.aboutId, aboutId), eq(deliveries.event, event), eq(deliveries.part, 0), isFree],
      ),
    )
    .returning({ id: deliveries.id });
  if (requeued) return requeued.id;
  const [queued] = await db
    .insert(deliveries)
    .values({ destinationId, sellerId, saleId, subjectId: saleId, aboutId, event, ...fresh })
    .onConflictDoNothing()
    .returning({ id: deliveries.id });
  return queued?.id ?? null;
}
