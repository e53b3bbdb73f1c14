import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { trackingEvents } from "#app/db/schema/tracking.server.ts";
import { ageLimitDays, isTooOld } from "#app/domain/tracking/age-limit.ts";
import { deliverOrder } from "#app/domain/tracking/deliver-order.server.ts";
import { orderPayload, type TrackedOrder } from "#app/domain/tracking/order-payload.server.ts";
import type { Tried } from "#app/domain/tracking/test-connection.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Tells UTMify an order's present state once more because the seller asked, and waits for the answer. What was never
 * accepted is sent in its own row; what was gets a row of its own beside it.
 * @throws Refusal conflict where the order is too old or being sent at this moment
 */
export async function resendOrder(
  order: TrackedOrder,
  about: { sellerId: string; platform: string; transactionId: string | null },
): Promise<Tried> {
  if (isTooOld(order.state, order.createdAt, new Date()))
    throw new Refusal(
      "conflict",
      `o pedido tem mais de ${ageLimitDays(order.state)} dias e a UTMify não o aceita mais`,
    );
  const id = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tracking:${order.saleId}`}, 0))`);
    const [last] = await tx
      .select()
      .from(trackingEvents)
      .where(and(eq(trackingEvents.saleId, order.saleId), eq(trackingEvents.state, order.state)))
      .orderBy(desc(trackingEvents.resend))
      .limit(1);
    if (last?.claimedUntil && last.claimedUntil > new Date())
      throw new Refusal("conflict", "este evento já está sendo enviado");
    const fresh = { payload: orderPayload(order, about.platform), transactionId: about.transactionId };
    if (last && last.status !== "sent") {
      await tx
        .update(trackingEvents)
        .set({ ...fresh, status: "queued", attempts: 0, note: null })
        .where(eq(trackingEvents.id, last.id));
      return last.id;
    }
    const [row] = await tx
      .insert(trackingEvents)
      .values({
        ...fresh,
        sellerId: about.sellerId,
        saleId: order.saleId,
        state: order.state,
        resend: last ? last.resend + 1 : 0,
      })
      .returning({ id: trackingEvents.id });
    return row!.id;
  });
  await deliverOrder(order.saleId);
  const [event] = await db.select().from(trackingEvents).where(eq(trackingEvents.id, id));
  if (event?.status === "sent") return { success: true, message: "Evento reenviado com sucesso!" };
  const seen = event?.responseStatus ? `HTTP ${event.responseStatus}. ` : "";
  const again = event?.status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return { success: false, message: `${seen}${event?.note ?? "sem resposta"}${again}` };
}
