import type { ChargeStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { mayMoveSale } from "#app/domain/sale/states.ts";

/**
 * The meaning of a payment that its provider confirmed. `already`: it is booked; `wrong`: not the charge's amount;
 * `surplus`: the sale was paid before; `counts`: it completes its sale. Money in cents.
 */
export type PaymentVerdict = "already" | "wrong" | "surplus" | "counts";

/** Judges a payment by the recorded state of its charge and sale. */
export function judgePayment(
  charge: { status: ChargeStatus; amountCents: number },
  sale: { status: SaleStatus },
  paidCents: number,
): PaymentVerdict {
  if (charge.status === "paid") return "already";
  if (charge.amountCents !== paidCents) return charge.status === "mispaid" ? "already" : "wrong";
  // A disputed sale may become completed again, but it has been paid.
  return sale.status !== "disputed" && mayMoveSale(sale.status, "completed") ? "counts" : "surplus";
}
