import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { SaleStatus } from "#app/db/schema/lists.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/check-times.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import type { AutomaticRefundReason } from "#app/domain/sale/events.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { queueSellerOverpaymentMail } from "#app/domain/sale/mails/queue-seller-overpayment-mail.server.ts";
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

/** Whether a sale's own payment went back. */
export function isReturned(status: SaleStatus): boolean {
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
