import type { SaleStatus } from "#app/db/schema/lists.ts";

/**
 * What a seller keeps of a sale, in cents: the payment less what went back and what the provider kept; null while nothing
 * was paid. A fee is not given back with the payment; a chargeback takes all of it.
 */
export function netCents(sale: {
  status: SaleStatus;
  amountCents: number;
  feeCents: number | null;
  refundedCents: number;
}): number | null {
  if (sale.status === "chargedback") return -(sale.feeCents ?? 0);
  if (sale.status !== "completed" && sale.status !== "refunded") return null;
  return sale.amountCents - sale.refundedCents - (sale.feeCents ?? 0);
}
