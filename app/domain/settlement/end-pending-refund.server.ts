import { and, eq, inArray, isNull, lt, type SQL } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownOfCharge } from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { nextCheckTime } from "#app/domain/charge/check-times.server.ts";
import { lockCharge } from "#app/domain/charge/lock-charge.server.ts";
import { moveRefund } from "#app/domain/charge/move-refund.server.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { queueUnconfirmedRefundMail } from "#app/domain/sale/mails/queue-unconfirmed-refund-mail.server.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/** Why a rejected refund was ended, in the sale's history and beside its payment. */
const ACCEPTED_BEFORE = "ele tinha aceitado o pedido, mas a devolução não foi feita";

/**
 * Ends a refund that was requested before `requestedBefore` and never confirmed, once for concurrent calls. The seller sees
 * it in the sale's history and by mail, and may request it again or record it.
 */
export async function endUnconfirmedRefund(chargeId: string, requestedBefore: Date | SQL): Promise<void> {
  // An automatic one that waits to be sent is not pending at its provider.
  const isDue = and(lt(refunds.requestedAt, requestedBefore), isNull(refunds.sendAt))!;
  const isEnded = await endPendingRefund(chargeId, isDue, "unconfirmed");
  if (isEnded) log.warn({ chargeId }, "refund ended: not confirmed");
}

/**
 * Ends a pending refund that the provider accepted and then rejected, once for concurrent calls. The seller, who was told
 * that nothing is left to do, is notified by mail.
 * @param references our references of the refunds that the provider reports as rejected
 * @returns whether the pending one was among them
 */
export async function rejectRefund(chargeId: string, references: string[]): Promise<boolean> {
  const isAmongThem = inArray(refunds.id, references.filter(isUuid));
  const isEnded = await endPendingRefund(chargeId, isAmongThem, "rejected");
  if (isEnded) log.warn({ chargeId }, "refund ended: rejected after it was accepted");
  return isEnded;
}

/** @returns whether a pending refund met the condition */
function endPendingRefund(
  chargeId: string,
  condition: SQL,
  how: "unconfirmed" | "rejected",
): Promise<boolean> {
  const isRejected = how === "rejected";
  return db.transaction(async (tx) => {
    const [charge] = await lockCharge(tx, chargeId);
    if (!charge) return false;
    const { sellerId, saleId } = charge;
    const [refund] = await tx
      .select()
      .from(refunds)
      .where(and(ownOfCharge(refunds, sellerId, chargeId), eq(refunds.status, "pending"), condition))
      .for("no key update");
    if (!refund) return false;
    if (isRejected)
      await moveRefund(tx, refund, { to: "refused", why: "refused", detail: ACCEPTED_BEFORE }, "provider");
    else await moveRefund(tx, refund, { to: "unconfirmed" }, "system");
    await tx
      .update(charges)
      .set({ nextCheckAt: nextCheckTime(null) })
      .where(ownById(charges, sellerId, chargeId));
    const { id: refundId, amountCents, requestedAt } = refund;
    await queueUnconfirmedRefundMail(tx, saleId, { refundId, amountCents, requestedAt, isRejected });
    // The buyer was told that nothing is left to do.
    if (refund.origin === "automatic")
      await queueBuyerPaymentMail(tx, saleId, `refund-failed/${chargeId}`, {
        what: "refund-failed",
        ...{ amountCents, at: new Date().toISOString(), isUnconfirmed: !isRejected },
      });
    return true;
  });
}
