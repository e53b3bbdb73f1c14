import type { ChargeStatus, RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { mayMove, mayMoveCharge, mayMoveRefund, SALE_MOVE_FACT } from "#app/domain/sale/states.ts";
import type { SeenCharge } from "#tests/histories-model/seen.ts";

/** A piece of news in the inbox. Moments are milliseconds in the history's own time. */
export type MemoryNews = { says: string; at: number; isHandled: boolean };

export type MemoryRefund = { status: RefundStatus; amountCents: number; at: number; isRecorded: boolean };

export type MemoryCharge = Omit<SeenCharge, "refunds" | "announcedAt"> & {
  saleId: string;
  refunds: MemoryRefund[];
  news: MemoryNews[];
  askedAt: number;
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
  facts: string[];
  charges: MemoryCharge[];
};

/** Moves a sale by the app's own table and leaves its fact. @throws Error where the table does not allow it */
export function moveSale(sale: MemorySale, to: SaleStatus): void {
  if (!mayMove(sale.status, to)) throw new Error(`a ${sale.status} sale cannot become ${to}`);
  sale.facts.push(sale.status === "disputed" && to === "completed" ? "dispute_won" : SALE_MOVE_FACT[to]);
  sale.status = to;
}

/** Moves a charge by the app's own table and leaves its fact. @throws Error where the table does not allow it */
export function moveCharge(charge: MemoryCharge, to: ChargeStatus, fact: string = to): void {
  if (!mayMoveCharge(charge.status, to)) throw new Error(`a ${charge.status} charge cannot become ${to}`);
  charge.status = to;
  charge.facts.push(fact);
}

/** Opens a refund, and leaves its fact. */
export function openRefund(charge: MemoryCharge, refund: MemoryRefund): MemoryRefund {
  charge.refunds.push(refund);
  charge.facts.push(refund.status === "done" ? "refund_done" : "refund_requested");
  return refund;
}

/** Moves a refund by the app's own table and leaves its fact. @throws Error where the table does not allow it */
export function moveRefund(
  charge: MemoryCharge,
  refund: MemoryRefund,
  to: "done" | "refused" | "unconfirmed",
) {
  if (!mayMoveRefund(refund.status, to)) throw new Error(`a ${refund.status} refund cannot become ${to}`);
  refund.status = to;
  charge.facts.push(`refund_${to}`);
}
