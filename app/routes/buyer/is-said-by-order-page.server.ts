import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import type { PlacedOrder } from "#app/domain/order/order.ts";
import { HAS_PAYMENT, MAY_BE_PAID } from "#app/domain/order/order-refusal.ts";

/**
 * Whether the order's own page says why it got no code: it shows the payment, and asks its provider again. After a declined card it is
 * the card's, which does not.
 */
export async function isSaidByOrderPage({ saleId, refusal }: PlacedOrder): Promise<boolean> {
  if (refusal?.code === HAS_PAYMENT) return true;
  return refusal?.code === MAY_BE_PAID && (await findPaymentSummary({ saleId }))?.buyer !== "declined";
}
