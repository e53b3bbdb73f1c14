import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { mayBePaidRefusal } from "#app/domain/order/order-refusal.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import type { PaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { checkPendingCharges } from "#app/domain/settlement/check-pix.server.ts";

/** States in which an order that is sent again gets another code. */
const NEEDS_CODE: PaymentSummary["buyer"][] = ["over", "used", "unmade", "failed", "closed", "declined"];

/**
 * The PIX of an order that is sent again, as `startPix`. Before another code is created its provider is asked about the earlier ones:
 * one may have been paid, and its webhook lost.
 * @throws Refusal may-be-paid where the provider does not answer, and what `startPix` throws
 */
export async function resumePix(saleId: string): Promise<{ chargeId: string }> {
  const known = await findPaymentSummary({ saleId });
  if (known && NEEDS_CODE.includes(known.buyer)) {
    const { summary, isUncertain } = await checkPendingCharges(saleId);
    if (isUncertain && NEEDS_CODE.includes(summary.buyer)) throw mayBePaidRefusal();
  }
  return startPix(saleId);
}
