import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { chargeEvents, refunds } from "#app/db/schema/payments.server.ts";
import { isOwed } from "#app/domain/refund/is-owed.server.ts";
import { refundRefusal } from "#app/domain/refund/refund-texts.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Removes the action item of a refund that the provider refused, or that was not confirmed and did not happen. The provider
 * is not called, and the sale stays paid. Idempotent.
 * @throws Refusal not-found; conflict where the newest refund is neither, or its buyer is entitled to the money
 */
export async function dismissRefund(sellerId: string, chargeId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { lastRefund, isSalePayment, sale } = await findPaidCharge(tx, sellerId, chargeId);
    const isOpen = lastRefund?.status === "refused" || lastRefund?.status === "unconfirmed";
    if (!isOpen || !isSalePayment) throw refundRefusal("notDismissible");
    if (lastRefund.dismissedAt) return;
    if (await isOwed(tx, sale.id)) throw refundRefusal("owed");
    await tx.update(refunds).set({ dismissedAt: sql`now()` }).where(eq(refunds.id, lastRefund.id));
    const kind = lastRefund.status === "refused" ? "refund_withdrawn" : "not_returned";
    await tx
      .insert(chargeEvents)
      .values({ chargeId, sellerId, kind, data: { refundId: lastRefund.id }, cause: "seller" });
  });
  log.info({ chargeId }, "refund dismissed by the seller");
}
