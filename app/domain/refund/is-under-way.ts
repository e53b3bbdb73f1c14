import type { RefundState } from "#app/domain/sale/payments.ts";

/** Whether a refund was requested and its result is not known. */
export function isUnderWay(refund: RefundState): boolean {
  return refund === "requested" || refund === "accepted";
}
