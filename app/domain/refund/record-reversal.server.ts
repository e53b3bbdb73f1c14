import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { chargeEvents } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { lockCounting, lockPaidSale } from "#app/domain/refund/lock-paid-sale.server.ts";
import { refundNo } from "#app/domain/refund/refund-words.ts";
import { giveBackSale } from "#app/domain/sale/give-back-sale.server.ts";
import { markSaleReversed } from "#app/domain/sale/mark-sale-reversed.server.ts";
import { queueReturnedMail } from "#app/domain/sale/notices/payment-news/queue-returned-mail.server.ts";
import { endQuestions } from "#app/domain/settlement/book-reversal.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Notes a refund the seller made at their bank, also while the payment is disputed: nothing is asked of the provider.
 * @throws Refusal not-found; conflict where the sale is not paid, or its money went back, or the provider is refunding it at this moment
 */
export async function recordRefund(sellerId: string, saleId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Charges before their sale, as settling locks them: the other way round the two could wait for each other.
    const paid = isUuid(saleId) ? await lockCounting(tx, saleId) : undefined;
    const sale = await lockPaidSale(tx, sellerId, saleId);
    if (sale.status !== "completed" && sale.status !== "disputed") throw refundNo("notCompleted");
    if (!paid) {
      // Booked without a charge of ours: before charges were kept, or by hand.
      await markSaleReversed(tx, sale, { to: "refunded", refundedCents: sale.amountCents }, "seller");
      return;
    }
    const charge = await findPaidCharge(tx, sellerId, paid.id);
    if (charge.lastRefund?.status === "pending") throw refundNo("pending");
    await recordLeft(tx, charge);
    const back = { refundedCents: charge.paidCents!, addedCents: charge.leftCents };
    await giveBackSale(tx, sale, back, "seller");
  });
  log.info({ saleId }, "refund recorded by the seller");
}

/**
 * Notes that a payment which its provider calls cancelled did not go back to who paid: it waits for its seller no more.
 * @throws Refusal not-found; conflict where its provider does not call it cancelled
 */
export async function recordNotReturned(sellerId: string, saleId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Charges before their sale, as settling locks them.
    const paid = isUuid(saleId) ? await lockCounting(tx, saleId) : undefined;
    const { id } = await lockPaidSale(tx, sellerId, saleId);
    const noted = await tx
      .update(sales)
      .set({ cancelledCheckedAt: sql`now()` })
      .where(and(eq(sales.id, id), isNotNull(sales.cancelledSince), eq(sales.status, "completed")))
      .returning({ id: sales.id });
    if (noted.length === 0) throw refundNo("notCancelled");
    if (paid)
      await tx
        .insert(chargeEvents)
        .values({ chargeId: paid.id, sellerId, kind: "not_returned", data: {}, cause: "seller" });
  });
  log.info({ saleId }, "cancelled payment checked by the seller: not returned");
}

/** Notes that a second payment of a sale, or one of a wrong amount, was given back at the bank. @throws Refusal not-found, conflict */
export async function recordSurplusRefund(sellerId: string, chargeId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const charge = await findPaidCharge(tx, sellerId, chargeId);
    if (charge.counts) throw notFound("Pagamento não encontrado");
    if (charge.lastRefund?.status === "pending") throw refundNo("pending");
    if (charge.leftCents <= 0) throw refundNo("done");
    await recordLeft(tx, charge);
    await queueReturnedMail(tx, charge.sale.id, {
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

/** All that is left of a charge counts as given back. */
async function recordLeft(tx: Tx, charge: { id: string; leftCents: number }): Promise<void> {
  const done = { amountCents: charge.leftCents, status: "done", origin: "recorded" } as const;
  if (charge.leftCents > 0) await openRefund(tx, { chargeId: charge.id, ...done }, "seller");
  await endQuestions(tx, charge.id);
}
