import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * Whether giving this back ends a completed sale, and with it the buyer's access: it is all that is left of the payment
 * that counts. False where it cannot be given back at this moment, which `requestRefund` refuses with its reason.
 * @param of `cents`: a part of it; null: all that is left
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
  const { role, status, leftCents, until } = payment;
  const isOpen = saleStatus === "completed" && status !== "requested" && status !== "accepted";
  return isOpen && role === "counts" && (cents ?? leftCents) === leftCents && until > new Date();
}
