import { db } from "#app/db/client.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { makeCharge, type makeProduct, makeSale } from "#tests/support/make.ts";

/** An overpaid order's automatic refund, due now; no key is left that could send it. @returns its id */
export async function makeDueRefund(product: Awaited<ReturnType<typeof makeProduct>>): Promise<string> {
  const sale = await makeSale(product, { status: "completed" });
  await makeCharge(sale, { status: "paid" });
  const over = { status: "paid", overpaidAt: new Date(), gatewayKeyId: null, providerId: null } as const;
  const charge = await makeCharge(sale, over);
  const payment = { sellerId: product.sellerId, chargeId: charge.id, amountCents: charge.amountCents };
  const asked = { status: "pending", origin: "automatic", reason: "setting" } as const;
  return openRefund(db, { ...payment, ...asked }, "system");
}
