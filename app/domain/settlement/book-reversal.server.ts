import { sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import type { RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import type { ObservedRefundData } from "#app/db/schema/mail-data.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { paidSaleColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { reportsDisputes } from "#app/domain/gateway/method-capabilities.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { decideDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { queueRefundedDisputeMail } from "#app/domain/sale/dispute/queue-refunded-dispute-mail.server.ts";
import { queueObservedRefundMail } from "#app/domain/sale/mails/payment/queue-observed-refund-mail.server.ts";
import { queueReturnedPaymentMail } from "#app/domain/sale/mails/payment/queue-returned-payment-mail.server.ts";
import { computeRefundedCents, computeUnrefundedCents } from "#app/domain/sale/payments.ts";
import { isSalePayment } from "#app/domain/sale/states.ts";
import { type BookedDispute, bookDispute } from "#app/domain/settlement/book-dispute.server.ts";
import { bookRefunds, endChecks, endMootRefunds } from "#app/domain/settlement/book-refunds.server.ts";
import { endUnconfirmedRefund, rejectRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { lockRefunds, lockReportedCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** The pending refund of a charge, else its newest; null where there is none. `isUnsent`: an automatic one that is sent later. */
export type LastRefund = {
  status: RefundStatus;
  requestedAt: Date;
  acceptedAt: Date | null;
  isUnsent?: boolean;
} | null;

/** How long a requested refund may stay unconfirmed, even if the provider does not answer at all. */
export const REFUND_WAIT = 3 * DAY;
/** The same where the provider never accepted it, still reports the payment as paid, and lists no open refund. */
const UNACCEPTED_WAIT = 30 * MINUTE;

/** When a requested refund is checked next: pauses grow with its age; null where none is pending. */
export function nextRefundCheck(refund: LastRefund, now: Date): Date | null {
  if (refund?.status !== "pending") return null;
  const age = now.getTime() - refund.requestedAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, MINUTE), 6 * HOUR));
}

/** What the provider reports of a payment that was booked before. */
export type Reversal = "refunded" | "already" | "still-paid" | "not-refunded" | BookedDispute;

/**
 * Books what the provider reports of a booked payment: it was refunded, or is still paid.
 * @param isCancellationChecked its seller found that a payment which is called cancelled was not refunded
 */
export async function bookReversal(
  chargeId: string,
  last: LastRefund,
  transaction: ProviderTransaction | null,
  sale: SaleStatus,
  isCancellationChecked = false,
): Promise<Reversal> {
  const disputed = await bookDispute(chargeId, transaction, sale);
  if (disputed && !transaction?.refundedCents) return disputed;
  // The provider does not document the status of a refunded payment; of its four, only `canceled` fits.
  const hasEnded = transaction?.state === "expired" || transaction?.state === "cancelled";
  const isLost = transaction?.state === "chargedback";
  const isAccepted = !!last?.acceptedAt && last.status !== "refused";
  // A cancellation that its seller has looked into is no news, unless a refund was accepted.
  const isExpected = isCancellationChecked ? isAccepted : last !== null || sale === "disputed";
  const hasReturned = transaction?.state === "refunded" || isLost || (hasEnded && isExpected);
  if (hasReturned) {
    // Of a chargeback some providers still state what was refunded before; the bank took the rest.
    const totalCents = isLost ? null : transaction.refundedCents;
    return bookReturnedMoney(chargeId, totalCents, transaction);
  }
  // A partial refund that was booked long ago does not confirm a pending one.
  if (
    transaction?.refundedCents &&
    (await bookReturnedMoney(chargeId, transaction.refundedCents)) === "refunded"
  )
    return "refunded";
  if (hasEnded)
    log.warn({ chargeId, word: transaction.providerStatus }, "paid charge has ended at the provider");
  const rejected = transaction?.rejectedRefunds ?? [];
  const isRejected =
    last?.status === "pending" && rejected.length > 0 && (await rejectRefund(chargeId, rejected));
  if (last?.status === "pending" && !isRejected) {
    const wait = last.acceptedAt || transaction?.hasOpenRefunds ? REFUND_WAIT : UNACCEPTED_WAIT;
    await endUnconfirmedRefund(chargeId, new Date(Date.now() - wait));
  }
  if (last?.status === "unconfirmed" && transaction?.state === "paid" && !transaction.hasOpenRefunds)
    await forgetOpenRefund(chargeId);
  return disputed ?? (transaction?.state === "paid" ? "still-paid" : "not-refunded");
}

/** The provider ended a refund without making it, or answers again: the seller may try anew. */
async function forgetOpenRefund(chargeId: string): Promise<void> {
  await db
    .update(refunds)
    .set({ failureKind: null })
    .where(sql`${refunds.chargeId} = ${chargeId} and ${refunds.status} = 'unconfirmed' and ${refunds.failureKind} is not null
      and ${refunds.sellerId} = (select seller_id from ${charges} where id = ${chargeId})`);
}

/**
 * Books, once for concurrent calls, that money of a charge was refunded, and what follows for its sale, unless the payment
 * was an overpayment or an amount mismatch.
 * @param totalCents how much of the charge was refunded in total; null: all of it
 * @param transaction what the provider reports where all that it took or refunded is known: a chargeback, too
 */
async function bookReturnedMoney(
  chargeId: string,
  totalCents: number | null,
  transaction: ProviderTransaction | null = null,
): Promise<"refunded" | "already"> {
  const isLost = transaction?.state === "chargedback";
  const reported = transaction?.dispute ?? null;
  const contestedAfterRefund = isLost ? "lost" : transaction?.contestedAfterRefund;
  return db.transaction(async (tx) => {
    const found = await lockReportedCharge(tx, chargeId);
    if (!found?.charge.paidCents) throw new Error(`charge ${chargeId} does not exist or was never paid`);
    const { charge, sale } = found;
    const paidCents = charge.paidCents!;
    const total = Math.min(totalCents ?? paidCents, paidCents);
    const isWhole = total === paidCents;
    const all = await lockRefunds(tx, sale.sellerId, chargeId);
    const booked = computeRefundedCents(all);
    if (isWhole) await endMootRefunds(tx, all, total - booked);
    const isOfSale = isSalePayment(charge);
    const mailContested = async () => {
      if (contestedAfterRefund)
        await queueRefundedDisputeMail(
          tx,
          sale.id,
          contestedAfterRefund,
          { ...charge, id: chargeId },
          reported,
        );
    };
    if (booked >= total) {
      if (isOfSale ? sale.status === "refunded" : !isLost || wasReturned(all)) await mailContested();
      return "already";
    }
    const addedCents = total - booked;
    // During a dispute that its provider does not report, money goes back by a refund that may still be made, or by the bank.
    const isUnreported = isOfSale && sale.status === "disputed" && !reportsDisputes(charge);
    const observed = await bookRefunds(
      tx,
      { sellerId: sale.sellerId, chargeId },
      isUnreported ? all.filter(mayBeMade) : all,
      addedCents,
    );
    await endChecks(tx, sale.sellerId, chargeId);
    const mailSeller = async (access: ObservedRefundData["access"]) => {
      if (!observed) return;
      const heldCents = access === "ended" ? await sumOtherPayments(tx, sale) : 0;
      await queueObservedRefundMail(tx, sale.id, observed.id, {
        amountCents: observed.amountCents,
        access,
        ...(heldCents > 0 && { heldCents }),
      });
    };
    const contested = { chargeId, origin: "provider", note: null, reported } as const;
    if (isOfSale && (isLost || (isUnreported && isWhole && observed))) {
      // The mails name what is left as taken by the bank: not what its seller had requested.
      if (isUnreported && observed)
        await tx
          .update(sales)
          .set({ refundedCents: total - observed.amountCents })
          .where(ownById(sales, sale.sellerId, sale.id));
      await decideDispute(tx, sale.id, "lost", contested, "provider");
    } else if (isOfSale) {
      await bookSaleRefund(tx, sale, { refundedCents: total, addedCents }, "provider");
      // Who entered a chargeback knows that the money went back, and was told what ended with it.
      if (sale.status !== "chargedback") await mailSeller(isWhole ? "ended" : "part-returned");
    } else {
      await queueReturnedPaymentMail(tx, sale.id, {
        ...{ id: chargeId, paidCents, paidAt: charge.paidAt! },
        ...{ totalCents: total, addedCents, isMismatch: charge.status === "mispaid" },
      });
      await mailSeller("not-counted");
      await notify(tx, "sale", sale.id);
    }
    if (!isLost && sale.status !== "disputed") await mailContested();
    log.info({ chargeId, saleId: sale.id, refundedCents: total }, "refund settled");
    return "refunded";
  });
}

/**
 * Whether a payment that does not count was returned by its seller or the provider: what was observed, or refused before, may be
 * this chargeback itself.
 */
function wasReturned(all: Awaited<ReturnType<typeof lockRefunds>>): boolean {
  const last = all.findLast(({ status }) => status === "done");
  return last?.origin === "recorded" || (last?.origin !== "observed" && last?.acceptedAt != null);
}

/** Whether the provider may still make a refund: not one that it refused, or that its seller found not to be made. */
function mayBeMade({ status, dismissedAt }: Awaited<ReturnType<typeof lockRefunds>>[number]): boolean {
  return status === "pending" || (status === "unconfirmed" && !dismissedAt);
}

/** What the payments of a sale hold that do not count, in cents. */
async function sumOtherPayments(tx: Tx, { id, sellerId }: { id: string; sellerId: string }): Promise<number> {
  const [sale] = await tx
    .select({ charges: paidSaleColumns.charges })
    .from(sales)
    .where(ownById(sales, sellerId, id));
  return sale!.charges
    .filter((charge) => !isSalePayment(charge))
    .reduce((sum, charge) => sum + computeUnrefundedCents(charge), 0);
}
