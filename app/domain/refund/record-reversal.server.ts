import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { chargeEvents } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { lockPaidSale, lockSalePayment } from "#app/domain/refund/lock-paid-sale.server.ts";
import { refundRefusal } from "#app/domain/refund/refund-texts.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { queueReturnedPaymentMail } from "#app/domain/sale/mails/payment/queue-returned-payment-mail.server.ts";
import { markSaleRefunded } from "#app/domain/sale/mark-sale-refunded.server.ts";
import { endChecks } from "#app/domain/settlement/book-refunds.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Records a refund that the seller made at their bank, also during a dispute. The provider is not called.
 * @throws Refusal not-found; conflict where the sale is not paid, was refunded, or has a pending refund at the provider
 */
export async function recordRefund(sellerId: string, saleId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Charges before their sale, the usual lock order: the other way round could deadlock.
    const salePayment = isUuid(saleId) ? await lockSalePayment(tx, sellerId, saleId) : undefined;
    const sale = await lockPaidSale(tx, sellerId, saleId);
    if (sale.status !== "completed" && sale.status !== "disputed") throw refundRefusal("notCompleted");
    if (!salePayment) {
      // Booked without a charge: before charges existed, or by hand.
      await markSaleRefunded(tx, sale, { to: "refunded", refundedCents: sale.amountCents }, "seller");
      return;
    }
    const charge = await findPaidCharge(tx, sellerId, salePayment.id);
    if (charge.lastRefund?.status === "pending") throw refundRefusal("pending");
    await recordRemainder(tx, charge);
    const returned = { refundedCents: charge.paidCents!, addedCents: charge.leftCents };
    await bookSaleRefund(tx, sale, returned, "seller");
  });
  log.info({ saleId }, "refund recorded by the seller");
}

/**
 * Records that a payment which its provider reports as cancelled was not returned to the payer; its action item is gone then.
 * @throws Refusal not-found; conflict where its provider does not report it as cancelled
 */
export async function recordNotReturned(sellerId: string, saleId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Charges before their sale, the usual lock order.
    const salePayment = isUuid(saleId) ? await lockSalePayment(tx, sellerId, saleId) : undefined;
    const { id } = await lockPaidSale(tx, sellerId, saleId);
    const checked = await tx
      .update(sales)
      .set({ cancelledCheckedAt: sql`now()` })
      .where(
        and(ownById(sales, sellerId, id), isNotNull(sales.cancelledSince), eq(sales.status, "completed")),
      )
      .returning({ id: sales.id });
    if (checked.length === 0) throw refundRefusal("notCancelled");
    if (salePayment)
      await tx
        .insert(chargeEvents)
        .values({ chargeId: salePayment.id, sellerId, kind: "not_returned", data: {}, cause: "seller" });
  });
  log.info({ saleId }, "cancelled payment checked by the seller: not returned");
}

/** Records that an overpayment or an amount mismatch was refunded at the bank. @throws Refusal not-found, conflict */
export async function recordOverpaymentRefund(sellerId: string, chargeId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const charge = await findPaidCharge(tx, sellerId, chargeId);
    if (charge.isSalePayment) throw notFound("Pagamento não encontrado");
    if (charge.lastRefund?.status === "pending") throw refundRefusal("pending");
    if (charge.leftCents <= 0) throw refundRefusal("done");
    await recordRemainder(tx, charge);
    await queueReturnedPaymentMail(tx, charge.sale.id, {
      id: charge.id,
      paidCents: charge.paidCents!,
      paidAt: charge.paidAt!,
      isMismatch: charge.status === "mispaid",
      totalCents: charge.paidCents!,
      addedCents: charge.leftCents,
      isRecorded: true,
    });
    await notify(tx, "sale", charge.sale.id);
  });
}

/** Books all that is left of a charge as refunded. */
async function recordRemainder(
  tx: Tx,
  charge: { id: string; sellerId: string; leftCents: number },
): Promise<void> {
  const done = { amountCents: charge.leftCents, status: "done", origin: "recorded" } as const;
  if (charge.leftCents > 0)
    await openRefund(tx, { ...done, chargeId: charge.id, sellerId: charge.sellerId }, "seller");
  await endChecks(tx, charge.sellerId, charge.id);
}
