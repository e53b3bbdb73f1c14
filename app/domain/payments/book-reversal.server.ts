import { endUnconfirmedRefund } from "#app/domain/payments/end-unconfirmed-refund.server.ts";
import type { ProviderTransaction } from "#app/domain/payments/providers/port.ts";
import { settleRefund } from "#app/domain/payments/settle-refund.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** A paid charge as far as its refund is concerned. */
export type PaidCharge = {
  provider: string;
  refundStatus: "pending" | "refused" | "unconfirmed" | "done" | null;
  refundRequestedAt: Date | null;
  refundAcceptedAt: Date | null;
};

/** How long a requested refund is waited for, also where the provider says nothing at all. */
export const REFUND_WAIT = 3 * DAY;
/** The same where the provider never said yes and still calls the payment paid. */
const UNACCEPTED_WAIT = 30 * MINUTE;

/** The outcome of a question: the provider says that the money has not gone back. */
export const STILL_PAID = "still paid";

/** When to ask about a requested refund the next time: pauses grow with its age; null where none is waited for. */
export function nextRefundCheck({ refundStatus, refundRequestedAt }: PaidCharge, now: Date): Date | null {
  if (refundStatus !== "pending" || !refundRequestedAt) return null;
  const age = now.getTime() - refundRequestedAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, MINUTE), 6 * HOUR));
}

/** Books what the provider says of a payment that was settled before: that it went back, or is still here. */
export async function bookReversal(
  chargeId: string,
  charge: PaidCharge,
  transaction: ProviderTransaction | null,
): Promise<string> {
  // What the provider calls a refunded payment is not documented; its four words would only leave `canceled`.
  const isBack =
    transaction?.state === "refunded" || (transaction?.state === "ended" && charge.refundStatus !== null);
  if (isBack) return settleRefund(chargeId, `refund confirmed by ${charge.provider}`);
  const word = transaction?.word ?? "unknown";
  if (transaction?.state === "ended") log.warn({ chargeId, word }, "paid charge has ended at the provider");
  if (charge.refundStatus === "pending") {
    const wait = charge.refundAcceptedAt ? REFUND_WAIT : UNACCEPTED_WAIT;
    await endUnconfirmedRefund(chargeId, new Date(Date.now() - wait));
  }
  return transaction?.state === "paid" ? STILL_PAID : `not refunded (${word})`;
}
