import { sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { chargeEvents } from "#app/db/schema/payments.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/check-times.server.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { queueRefundedDisputeMail } from "#app/domain/sale/dispute/queue-refunded-dispute-mail.server.ts";
import { queueAmountMismatchMail } from "#app/domain/sale/mails/queue-amount-mismatch-mail.server.ts";
import { queueSellerOverpaymentMail } from "#app/domain/sale/mails/queue-seller-overpayment-mail.server.ts";
import { bookOverpayment, isReturned } from "#app/domain/settlement/book-overpayment.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";

/**
 * Schedules the checks of a payment that does not count and is disputed, and notifies the seller of one that was booked before it
 * was: it is not to be refunded now, or its money may leave twice. Nobody is notified where a refund of it is pending. Part of
 * the caller's transaction.
 */
export async function bookExtraDispute(
  tx: Tx,
  { id: saleId, sellerId }: { id: string; sellerId: string },
  chargeId: string,
  reported: ProviderDispute | null,
): Promise<void> {
  await scheduleDisputedCheck(tx, chargeId);
  const charge = await findPaidCharge(tx, sellerId, chargeId);
  const { leftCents, lastRefund, sale } = charge;
  if (charge.isExtraDisputed || lastRefund?.status === "pending") return;
  if (leftCents === 0) return queueRefundedDisputeMail(tx, saleId, "opened", charge, reported);
  const dispute = await findDisputeNumber(tx, sellerId, chargeId);
  if (charge.status === "mispaid") {
    const amounts = { amountCents: leftCents, expectedCents: charge.amountCents };
    const key = `${chargeId}/${dispute}/later`;
    await queueAmountMismatchMail(tx, saleId, key, { ...amounts, disputed: "later" });
    return;
  }
  await queueSellerOverpaymentMail(tx, saleId, `${chargeId}/${dispute}/disputed`, {
    ...{ amountCents: leftCents, isDisputed: true, isDisputedLater: true },
    ...(isReturned(sale.status) && { isFirstReturned: true }),
  });
}

/**
 * Books, once for concurrent calls, that the bank rejected the dispute of a payment that does not count: what is left of it is to be
 * refunded, as of any other one. Nobody is notified where a refund of it is pending or all of it was refunded; of an amount
 * mismatch the seller is.
 */
export async function bookRejectedDispute(
  sale: { id: string; sellerId: string },
  { id: chargeId }: { id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const charge = await findPaidCharge(tx, sale.sellerId, chargeId);
    const { paidCents, paidAt, leftCents, lastRefund } = charge;
    if (!charge.isExtraDisputed || lastRefund?.status === "pending") return;
    if (leftCents === 0) return;
    const rejectedDispute = await findDisputeNumber(tx, sale.sellerId, chargeId);
    if (charge.status === "mispaid") {
      const amounts = { amountCents: leftCents, expectedCents: charge.amountCents };
      const key = `${chargeId}/${rejectedDispute}/rejected`;
      await queueAmountMismatchMail(tx, sale.id, key, { ...amounts, disputed: "rejected" });
      return;
    }
    const returnedCents = paidCents! - leftCents;
    const overpayment = { chargeId, paidCents: paidCents!, returnedCents, isDisputed: false, at: paidAt! };
    const booked = { id: sale.id, sellerId: sale.sellerId, status: charge.sale.status };
    await bookOverpayment(tx, booked, { ...overpayment, rejectedDispute });
  });
}

/**
 * What tells the disputes of a payment apart that does not count, since they have no rows: the newest answer that was recorded
 * when it became disputed, or when that ended. A repeated booking finds the same.
 */
async function findDisputeNumber(tx: Tx, sellerId: string, chargeId: string): Promise<string> {
  const [newest] = await tx.execute<{ id: string | null }>(sql`
    select max(id)::text as id from ${chargeEvents} e where e.seller_id = ${sellerId} and e.charge_id = ${chargeId}
      and e.kind = 'asked' and e.data->>'state' not in ('unknown', 'unclear')`);
  return newest?.id ?? "0";
}
