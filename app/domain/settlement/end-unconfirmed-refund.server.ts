import { and, eq, lt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofChargeId } from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { lockCharge } from "#app/domain/charge/lock-charge.server.ts";
import { moveRefund } from "#app/domain/charge/move-refund.server.ts";
import { nextCheckTime } from "#app/domain/charge/next-check-time.server.ts";
import { queueUnconfirmedRefundMail } from "#app/domain/sale/mails/queue-unconfirmed-refund-mail.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Ends a refund that was requested before `requestedBefore` and never confirmed, once for concurrent calls. The seller sees
 * it in the sale's history and by mail, and may request it again or record it.
 */
export async function endUnconfirmedRefund(chargeId: string, requestedBefore: Date): Promise<void> {
  const ended = await db.transaction(async (tx) => {
    await lockCharge(tx, chargeId);
    const [found] = await tx
      .select({ refund: refunds, saleId: charges.saleId })
      .from(refunds)
      .innerJoin(charges, eq(charges.id, refunds.chargeId))
      .where(
        and(
          ofChargeId(refunds, chargeId),
          eq(refunds.status, "pending"),
          lt(refunds.requestedAt, requestedBefore),
        ),
      )
      .for("no key update", { of: refunds });
    if (!found) return false;
    const { refund, saleId } = found;
    await moveRefund(tx, refund, { to: "unconfirmed" }, "system");
    await tx
      .update(charges)
      .set({ nextCheckAt: nextCheckTime(null) })
      .where(eq(charges.id, chargeId));
    const { id: refundId, amountCents, requestedAt } = refund;
    await queueUnconfirmedRefundMail(tx, saleId, { refundId, amountCents, requestedAt });
    return true;
  });
  if (ended) log.warn({ chargeId }, "refund ended: not confirmed");
}
