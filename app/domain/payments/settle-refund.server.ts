import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { markSaleReversed } from "#app/domain/sales/mark-sale-reversed.server.ts";
import { mayMove } from "#app/domain/sales/states.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Books that a payment went back, once however many say so: the charge, and its sale unless the payment was a surplus one.
 * @param cause for the sale's history, in our words
 */
export async function settleRefund(chargeId: string, cause: string): Promise<"refunded" | "already"> {
  return db.transaction(async (tx) => {
    const [charge] = await tx
      .select({
        refundStatus: charges.refundStatus,
        surplusAt: charges.surplusAt,
        sale: { id: sales.id, status: sales.status },
      })
      .from(charges)
      .innerJoin(sales, eq(sales.id, charges.saleId))
      .where(eq(charges.id, chargeId))
      .for("update");
    if (!charge) throw new Error(`charge ${chargeId} is gone`);
    if (charge.refundStatus === "done") return "already";
    await tx
      .update(charges)
      .set({ refundStatus: "done", refundedAt: new Date(), refundFailure: null, nextCheckAt: null })
      .where(eq(charges.id, chargeId));
    if (!charge.surplusAt && mayMove(charge.sale.status, "refunded"))
      await markSaleReversed(tx, charge.sale, "refunded", cause);
    log.info({ chargeId, saleId: charge.sale.id, cause }, "refund settled");
    return "refunded";
  });
}
