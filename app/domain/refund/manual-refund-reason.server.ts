import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { MANUAL_REFUND_TEXT, tooLateRefusal } from "#app/domain/refund/refund-texts.ts";
import { pick } from "#app/kit/pick.ts";

/** A payment's provider and time. */
type ReceivedPayment = { provider: string; paidAt: Date | null };

/** How long after a payment its provider refunds it, in milliseconds; null for an unknown provider. */
export function findRefundWindow(provider: string): number | null {
  return pick(providers, provider)?.refunds.windowMs ?? null;
}

/** Why only the seller can return a purchase's money, as text for them; null where the provider refunds it. */
export function manualRefundReason(
  payment: ReceivedPayment | undefined | null,
  now = new Date(),
): string | null {
  const windowMs = payment && findRefundWindow(payment.provider);
  if (!windowMs || !payment.paidAt) return MANUAL_REFUND_TEXT;
  return now.getTime() - payment.paidAt.getTime() > windowMs ? tooLateRefusal(windowMs).message : null;
}
