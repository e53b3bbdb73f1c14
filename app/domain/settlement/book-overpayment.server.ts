import { sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import type { SaleStatus } from "#app/db/schema/lists.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/check-times.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { queueRefundedDisputeMail } from "#app/domain/sale/dispute/build-dispute-mails.server.ts";
import type { AutomaticRefundReason } from "#app/domain/sale/events.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { queueAmountMismatchMail } from "#app/domain/sale/mails/queue-amount-mismatch-mail.server.ts";
import { queueSellerOverpaymentMail } from "#app/domain/sale/mails/queue-seller-overpayment-mail.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { SEND_REFUNDS } from "#app/queue/names.ts";

/**
 * A payment of a sale that was paid before. Money in cents; `returnedCents`: what its provider refunded meanwhile; `isDisputed`: its
 * bank decides, and a refund might return it twice.
 */
type Overpayment = {
  chargeId: string;
  paidCents: number;
  returnedCents: number;
  isDisputed: boolean;
  /** Its bank rejected this dispute (`findDisputeNumber`), which both were told of before. */
  rejectedDispute?: string;
  at: Date;
};

/**
 * Notifies buyer and seller of an overpayment, and opens its refund where it is automatic: we caused it, or its seller chose
 * so. Part of the settlement's transaction.
 */
export async function bookOverpayment(
  tx: Tx,
  { id: saleId, sellerId, status }: { id: string; sellerId: string; status: SaleStatus },
  { chargeId, paidCents, returnedCents, isDisputed, rejectedDispute, at }: Overpayment,
): Promise<void> {
  // Not every provider refunds what is left of a payment.
  const isWhole = returnedCents === 0;
  const reason = isWhole && !isDisputed ? await findRefundReason(tx, sellerId, chargeId) : null;
  if (reason) {
    const refund = {
      ...{ sellerId, chargeId, amountCents: paidCents },
      ...({ status: "pending", origin: "automatic" } as const),
    };
    await openRefund(tx, { ...refund, reason }, "system");
    await enqueue(tx, SEND_REFUNDS, {}, { key: "" });
  }
  if (isDisputed) await scheduleDisputedCheck(tx, chargeId);
  const isFirstReturned = isReturned(status);
  const facts = {
    ...(isDisputed && { isDisputed }),
    ...(isFirstReturned && { isFirstReturned }),
    ...(rejectedDispute && { isDisputeRejected: true as const }),
  };
  const key = rejectedDispute ? `${chargeId}/${rejectedDispute}/rejected` : chargeId;
  await queueSellerOverpaymentMail(tx, saleId, key, {
    amountCents: paidCents - returnedCents,
    ...facts,
    ...(reason && { refund: { state: "requested", reason } }),
  });
  await queueBuyerPaymentMail(tx, saleId, `overpaid/${key}`, {
    what: "overpaid",
    amountCents: paidCents,
    at: at.toISOString(),
    isRefundRequested: reason !== null,
    ...facts,
  });
}

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

function isReturned(status: SaleStatus): boolean {
  return status === "refunded" || status === "chargedback";
}

/**
 * Why an overpayment is refunded automatically; null where its seller decides, as for one of which a refund is known already: a
 * mismatch that its provider corrected. Fail-over: one of both codes was requested because another account created none.
 */
async function findRefundReason(
  tx: Tx,
  sellerId: string,
  chargeId: string,
): Promise<AutomaticRefundReason | null> {
  const [found] = await tx.execute<{ hasRefunds: boolean; hasFailedOver: boolean; isChosen: boolean }>(sql`
    select refunds_overpayments as "isChosen",
      exists (select from ${refunds} where seller_id = ${sellerId} and charge_id = ${chargeId}) as "hasRefunds",
      exists (
        select from ${charges} a inner join ${charges} b on b.seller_id = a.seller_id and b.sale_id = a.sale_id
        where a.seller_id = ${sellerId} and a.id = ${chargeId} and a.method = 'pix' and b.method = 'pix' and b.provider <> a.provider
          and b.status = 'paid' and b.overpaid_at is null and exists (
            select from ${chargeEvents} e where e.seller_id = a.seller_id and e.charge_id in (a.id, b.id)
              and e.kind = 'requested' and e.data ? 'insteadOf')
      ) as "hasFailedOver"
    from ${sellers} where id = ${sellerId}`);
  if (!found || found.hasRefunds) return null;
  if (found.hasFailedOver) return "fail-over";
  return found.isChosen ? "setting" : null;
}
