import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { readTrackedOrder } from "#app/domain/sale/tracking/read-tracked-order.server.ts";
import { resendOrder } from "#app/domain/tracking/resend-order.server.ts";
import type { OrderState } from "#app/domain/tracking/states.ts";
import type { Tried } from "#app/domain/tracking/test-connection.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

const STATES: Partial<Record<SaleStatus, OrderState>> = {
  pending: "waiting_payment",
  failed: "refused",
  completed: "paid",
  refunded: "refunded",
  chargedback: "chargedback",
};

/**
 * Reports a sale's present state once more because its seller asked, whatever the switches say.
 * @throws Refusal not-found; conflict where it cannot be reported, with the reason for the seller
 */
export async function resendTracking(sellerId: string, saleId: string): Promise<Tried> {
  if (!isUuid(saleId)) throw notFound("venda não encontrada");
  const [sale] = await db
    .select({ status: sales.status })
    .from(sales)
    .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)));
  if (!sale) throw notFound("venda não encontrada");
  const state = STATES[sale.status];
  if (!state) throw new Refusal("conflict", "uma venda cancelada não é informada");
  const tracked = await readTrackedOrder(db, saleId, state, { always: true, sellerId });
  if (!tracked) throw new Refusal("conflict", "o rastreamento está desligado ou sem token da API");
  return resendOrder(tracked.order, tracked.about);
}
