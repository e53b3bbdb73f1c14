import type { RefundStatus } from "#app/db/schema/lists.ts";
import type { RefundState } from "#app/domain/sale/payments.ts";

/** Whether a refund was requested and its result is not known. */
export function isUnderWay(refund: RefundState): boolean {
  return refund === "requested" || refund === "accepted";
}

/** Whether the provider may still make a refund, by its row or its state: it is pending, or was never confirmed nor dismissed. */
export function isUndecided(refund: { status: RefundStatus | RefundState; dismissedAt: unknown }): boolean {
  const { status, dismissedAt } = refund;
  return status === "unconfirmed" ? !dismissedAt : ["pending", "requested", "accepted"].includes(status);
}
