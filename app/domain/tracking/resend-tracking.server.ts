import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { resendOrder } from "#app/domain/delivery/utmify/resend-order.server.ts";
import type { OrderState } from "#app/domain/delivery/utmify/states.ts";
import type { ConnectionTest } from "#app/domain/delivery/utmify/test-connection.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

const STATES: Partial<Record<SaleStatus, OrderState>> = {
  pending: "waiting_payment",
  failed: "refused",
  completed: "paid",
  disputed: "paid",
  refunded: "refunded",
  chargedback: "chargedback",
};

/**
 * Reports a sale's current state again at its seller's request, whatever the settings are.
 * @throws Refusal not-found; conflict where it cannot be reported, with the reason for the seller
 */
export async function resendTracking(sellerId: string, saleId: string): Promise<ConnectionTest> {
  if (!isUuid(saleId)) throw notFound("venda não encontrada");
  const [sale] = await db
    .select({
      ...{ id: sales.id, sellerId: sales.sellerId, createdAt: sales.createdAt, status: sales.status },
      lastRefundId: sql<string | null>`(
        select r.id from ${charges} c inner join ${refunds} r on r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'
        where c.seller_id = ${sellerId} and c.sale_id = ${saleId} and c.status = 'paid' and c.overpaid_at is null
        order by r.ended_at desc, r.id desc limit 1)`,
    })
    .from(sales)
    .where(ownById(sales, sellerId, saleId));
  if (!sale) throw notFound("venda não encontrada");
  const state = STATES[sale.status];
  if (!state) throw new Refusal("conflict", "uma venda cancelada não é informada");
  const partialRefundId = state === "paid" ? sale.lastRefundId : null;
  return resendOrder(sale, { state, partialRefundId }, readNotification);
}
