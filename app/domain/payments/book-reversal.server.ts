import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import type { ProviderTransaction } from "#app/domain/payments/providers/port.ts";
import { settleRefund } from "#app/domain/payments/settle-refund.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** A paid charge as far as its refund is concerned. */
export type PaidCharge = {
  provider: string;
  refundStatus: "pending" | "refused" | "done" | null;
  refundRequestedAt: Date | null;
  refundAcceptedAt: Date | null;
};

/** How long a requested refund is waited for: short where the provider never said yes. */
const GIVE_UP = { accepted: 3 * DAY, unsure: 30 * MINUTE };

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
  if (charge.refundStatus === "pending" && isOverdue(charge)) {
    await db
      .update(charges)
      .set({
        refundStatus: "refused",
        refundFailure: "O provedor não confirmou o reembolso: para ele o pagamento continua pago.",
        nextCheckAt: null,
      })
      .where(and(eq(charges.id, chargeId), eq(charges.refundStatus, "pending")));
    log.warn({ chargeId, word }, "refund given up: not confirmed");
  }
  return `not refunded (${word})`;
}

function isOverdue({ refundRequestedAt, refundAcceptedAt }: PaidCharge): boolean {
  const waited = Date.now() - (refundRequestedAt?.getTime() ?? 0);
  return waited > (refundAcceptedAt ? GIVE_UP.accepted : GIVE_UP.unsure);
}
