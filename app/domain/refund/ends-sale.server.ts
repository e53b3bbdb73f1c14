import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * Whether this refund ends a completed sale, and with it the buyer's access: it covers all that is left of the sale's
 * payment. False where it cannot be refunded now, which `refundCharge` refuses with its reason.
 * @param refund `cents`: a part of it; null: all that is left
 * @throws Refusal not-found where the sale has no such payment
 */
export async function endsSale(
  sellerId: string,
  saleId: string,
  { chargeId, cents }: { chargeId: string; cents: number | null },
): Promise<boolean> {
  const { saleStatus, payments } = await showRefund(sellerId, saleId);
  const payment = payments.find((one) => one.chargeId === chargeId);
  if (!payment) throw notFound("Pagamento não encontrado");
  const { kind, status, leftCents, refundableUntil } = payment;
  const isOpen = saleStatus === "completed" && status !== "requested" && status !== "accepted";
  return isOpen && kind === "counts" && (cents ?? leftCents) === leftCents && refundableUntil > new Date();
}
