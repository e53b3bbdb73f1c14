import type { ChargeStatus, RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { mayMoveCharge, mayMoveRefund, mayMoveSale, SALE_MOVE_EVENT } from "#app/domain/sale/states.ts";
import type { SeenCharge } from "#tests/histories-model/seen.ts";

/** A webhook in the inbox. Moments are milliseconds in the history's own time. */
export type MemoryWebhook = { says: string; at: number; isHandled: boolean };

export type MemoryRefund = { status: RefundStatus; amountCents: number; at: number; isRecorded: boolean };

export type MemoryCharge = Omit<SeenCharge, "refunds" | "announcedAt"> & {
  saleId: string;
  refunds: MemoryRefund[];
  webhook: MemoryWebhook[];
  checkedAt: number;
  nextCheckAt: number | null;
};

export type MemorySale = {
  id: string;
  buyer: number;
  status: SaleStatus;
  createdAt: number;
  amountCents: number;
  feeCents: number | null;
  refundedCents: number;
  events: string[];
  charges: MemoryCharge[];
};

/** Moves a sale by the app's own table and records its event. @throws Error where the table does not allow it */
export function moveSale(sale: MemorySale, to: SaleStatus): void {
  if (!mayMoveSale(sale.status, to)) throw new Error(`a ${sale.status} sale cannot become ${to}`);
  sale.events.push(sale.status === "disputed" && to === "completed" ? "dispute_won" : SALE_MOVE_EVENT[to]);
  sale.status = to;
}

/** Moves a charge by the app's own table and records its event. @throws Error where the table does not allow it */
export function moveCharge(charge: MemoryCharge, to: ChargeStatus, event: string = to): void {
  if (!mayMoveCharge(charge.status, to)) throw new Error(`a ${charge.status} charge cannot become ${to}`);
  charge.status = to;
  charge.events.push(event);
}

/** Opens a refund and records its event. */
export function openRefund(charge: MemoryCharge, refund: MemoryRefund): MemoryRefund {
  charge.refunds.push(refund);
  charge.events.push(refund.status === "done" ? "refund_done" : "refund_requested");
  return refund;
}

/** Moves a refund by the app's own table and records its event. @throws Error where the table does not allow it */
export function moveRefund(
  charge: MemoryCharge,
  refund: MemoryRefund,
  to: "done" | "refused" | "unconfirmed",
) {
  if (!mayMoveRefund(refund.status, to)) throw new Error(`a ${refund.status} refund cannot become ${to}`);
  refund.status = to;
  charge.events.push(`refund_${to}`);
}
