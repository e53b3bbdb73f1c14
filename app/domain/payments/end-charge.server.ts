import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { failedPaymentMail } from "#app/domain/sales/failed-payment-mail.server.ts";

/**
 * Notes that an open charge ended unpaid at the provider. Most orders that are not paid expire: that is no news. A
 * cancellation is, and the seller is told. A payment that comes all the same still counts.
 */
export async function endCharge(chargeId: string, status: "expired" | "cancelled"): Promise<void> {
  await db.transaction(async (tx) => {
    const [ended] = await tx
      .update(charges)
      .set({ status })
      .where(and(eq(charges.id, chargeId), eq(charges.status, "open")))
      .returning({ saleId: charges.saleId });
    if (ended && status === "cancelled")
      await failedPaymentMail(tx, ended.saleId, "O PIX deste pedido foi cancelado no provedor de pagamento.");
  });
}
