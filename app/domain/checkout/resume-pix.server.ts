import { mayBePaidRefusal } from "#app/domain/order/order-refusal.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { checkPendingCharges } from "#app/domain/settlement/check-pix.server.ts";

/**
 * The PIX of an order that is sent again, as `startPix`. Its provider is asked about earlier codes first: one may have been paid, and
 * its webhook lost.
 * @throws Refusal may-be-paid where the provider does not answer and no code can be paid, and what `startPix` throws
 */
export async function resumePix(saleId: string): Promise<{ chargeId: string }> {
  const { summary, isUncertain } = await checkPendingCharges(saleId);
  if (isUncertain && summary.buyer !== "payable") throw mayBePaidRefusal();
  return startPix(saleId);
}
