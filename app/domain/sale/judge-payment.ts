import type { ChargeStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { mayMove } from "#app/domain/sale/states.ts";

/**
 * What a payment confirmed by its provider means. `already`: it is booked; `wrong`: not the amount that was asked for;
 * `surplus`: the sale was paid before; `counts`: it completes its sale. Money in cents.
 */
export type Judgement = "already" | "wrong" | "surplus" | "counts";

/** Judges a payment by what the books say of its charge and sale. */
export function judgePayment(
  charge: { status: ChargeStatus; amountCents: number },
  sale: { status: SaleStatus },
  paidCents: number,
): Judgement {
  if (charge.status === "paid") return "already";
  if (charge.amountCents !== paidCents) return charge.status === "mispaid" ? "already" : "wrong";
  // A disputed sale may become completed again, but it has been paid.
  return sale.status !== "disputed" && mayMove(sale.status, "completed") ? "counts" : "surplus";
}
