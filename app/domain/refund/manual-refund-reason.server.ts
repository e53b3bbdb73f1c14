import type { ChargeMethod } from "#app/db/schema/lists.ts";
import { findRefundWindow } from "#app/domain/gateway/method-capabilities.server.ts";
import { MANUAL_REFUND_TEXT, tooLateRefusal } from "#app/domain/refund/refund-texts.ts";

/** A payment's provider, method and time. */
type ReceivedPayment = { provider: string; method: ChargeMethod; paidAt: Date | null };

/** Why only the seller can return a purchase's money, as text for them; null where the provider refunds it. */
export function manualRefundReason(
  payment: ReceivedPayment | undefined | null,
  now = new Date(),
): string | null {
  const windowMs = payment && findRefundWindow(payment);
  if (!windowMs || !payment.paidAt) return MANUAL_REFUND_TEXT;
  return now.getTime() - payment.paidAt.getTime() > windowMs ? tooLateRefusal(windowMs).message : null;
}
