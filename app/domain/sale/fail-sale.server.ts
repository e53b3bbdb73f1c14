import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import type { ChargeMethod } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import { queueFailedPaymentMail } from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** The charge whose code was refused, or that was cancelled, and the provider's words for it. */
type FailedCharge = {
  chargeId: string;
  method?: ChargeMethod;
  reason: SaleEventData["failed"]["why"];
  detail?: string;
};

/**
 * Fails a sale whose code was refused, or whose code or card was cancelled, with all consequences, in one transaction; the sale
 * is pending and its row locked by the caller.
 */
export async function failSale(
  tx: Tx,
  sale: { id: string; sellerId: string; status: SaleStatus },
  { chargeId, method = "pix", reason, detail = "" }: FailedCharge,
): Promise<void> {
  await moveSale(tx, sale, { to: "failed", reason, chargeId }, "provider");
  await queueFailedPaymentMail(tx, sale.id, {
    ...{ why: reason, detail },
    ...(method === "card" && { isCard: true as const }),
  });
}

/** Makes a failed or cancelled sale pending again, once it has another code. */
export async function reopenSale(tx: Tx, sellerId: string, saleId: string): Promise<void> {
  const [sale] = await tx
    .select({ id: sales.id, sellerId: sales.sellerId, status: sales.status })
    .from(sales)
    .where(ownById(sales, sellerId, saleId))
    .for("no key update");
  if (sale?.status === "failed" || sale?.status === "cancelled")
    await moveSale(tx, sale, { to: "pending" }, "buyer");
}
