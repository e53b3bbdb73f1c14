import type { AnyColumn } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { Cause, ChargeMethod, ChargeStatus, SaleStatus } from "#app/db/schema/lists.ts";
import type { ObservedRefundData } from "#app/db/schema/mail-data.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/charge-check.server.ts";
import type { ChargeMove } from "#app/domain/charge/move-charge.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { decideDispute, openDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { queueObservedRefundMail } from "#app/domain/sale/mails/payment/queue-observed-refund-mail.server.ts";
import { queueReturnedPaymentMail } from "#app/domain/sale/mails/payment/queue-returned-payment-mail.server.ts";
import { queueAmountMismatchMail } from "#app/domain/sale/mails/queue-amount-mismatch-mail.server.ts";
import { markSaleRefunded } from "#app/domain/sale/mark-sale-refunded.server.ts";
import { buildPaymentMails, type SaleMove } from "#app/domain/sale/move-sale.server.ts";
import { computeRefundedCents, isOnlyRecorded, type KnownRefund } from "#app/domain/sale/payments.ts";
import { type SaleContacts, saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { mayMoveSale } from "#app/domain/sale/states.ts";
import { bookOverpayment } from "#app/domain/settlement/book-overpayment.server.ts";

/**
 * The meaning of a payment that its provider confirmed. `already`: it is booked; `wrong`: not the charge's amount;
 * `surplus`: the sale was paid before; `counts`: it completes its sale. Money in cents.
 */
export type PaymentVerdict = "already" | "wrong" | "surplus" | "counts";

/** Judges a payment by the recorded state of its charge and sale. */
export function judgePayment(
  charge: { status: ChargeStatus; amountCents: number },
  sale: { status: SaleStatus },
  paidCents: number,
): PaymentVerdict {
  if (charge.status === "paid") return "already";
  if (charge.amountCents !== paidCents) return charge.status === "mispaid" ? "already" : "wrong";
  // A disputed sale may become completed again, but it has been paid.
  return sale.status !== "disputed" && mayMoveSale(sale.status, "completed") ? "counts" : "surplus";
}

/**
 * What settling did. `surplus`: the sale was paid before, so this money is to be refunded; `wrong-amount`: it is not the
 * amount charged; `came-and-went`: it was refunded before we checked.
 */
export type Settlement = "settled" | "already" | "surplus" | "wrong-amount" | "came-and-went";

/** A charge and its sale, as settling needs them. Money in cents. */
export type PaymentSnapshot = {
  charge: {
    id: string;
    sellerId: string;
    status: ChargeStatus;
    method: ChargeMethod;
    amountCents: number;
  };
  sale: SaleContacts;
};

/** The columns of `PaymentSnapshot`. What a settlement depends on belongs here, so that a change of it is detected. */
export const paymentColumns = {
  charge: {
    id: charges.id,
    sellerId: charges.sellerId,
    status: charges.status,
    method: charges.method,
    amountCents: charges.amountCents,
  },
  sale: saleContacts,
} satisfies { [K in keyof PaymentSnapshot]: Record<keyof PaymentSnapshot[K], AnyColumn> };

/** One write of a settlement. */
export type SettlementStep =
  | { write: "charge"; move: ChargeMove }
  | { write: "sale"; move: SaleMove; mails: NewMail[] }
  | { write: "other"; run: (tx: Tx) => Promise<unknown> };

/**
 * Lists what settling a payment writes, in this order. Used by both the one-statement and the transactional path.
 * @param paid the payment as the provider itself confirmed it
 * @param earlier the charge's refunds that were booked before: its amount was another one, which its provider corrected
 */
export function planSettlement(
  { charge, sale }: PaymentSnapshot,
  paid: ProviderTransaction,
  at: Date,
  earlier: Pick<KnownRefund, "status" | "origin" | "amountCents">[] = [],
): { outcome: Settlement; steps: SettlementStep[] } {
  const judgement = judgePayment(charge, sale, paid.amountCents);
  if (judgement === "already")
    return { outcome: charge.status === "mispaid" ? "wrong-amount" : "already", steps: [] };
  const { providerId, amountCents: paidCents, feeCents } = paid;
  const received = { providerId, paidCents, feeCents, at };
  const isChargedBack = paid.state === "chargedback";
  const isReportedReturned = paid.state === "refunded" || isChargedBack;
  // A booked payment is not checked again without a reason, so what was refunded before is booked with it.
  const bookedCents = computeRefundedCents(earlier);
  const reportedCents = isChargedBack
    ? paidCents
    : (paid.refundedCents ?? (isReportedReturned ? paidCents : 0));
  const returnedCents = Math.min(Math.max(reportedCents, bookedCents), paidCents);
  const addedCents = Math.max(returnedCents - bookedCents, 0);
  // What only its seller recorded is booked as such: the buyer is told who states it.
  const refundCause: Cause = addedCents === 0 && isOnlyRecorded(earlier) ? "seller" : "provider";
  const isReturned = isReportedReturned || (paid.state === "paid" && returnedCents === paidCents);
  const steps: SettlementStep[] = [];
  const addStep = (run: (tx: Tx) => Promise<unknown>) => steps.push({ write: "other", run });
  const addRefund = (access: ObservedRefundData["access"]) => {
    const back = {
      sellerId: sale.sellerId,
      chargeId: charge.id,
      amountCents: addedCents,
      status: "done",
      origin: "observed",
    } as const;
    if (addedCents === 0) return;
    addStep(async (tx) => {
      const refundId = await openRefund(tx, back, "provider");
      const mailed = { amountCents: addedCents, access };
      if (!isChargedBack) await queueObservedRefundMail(tx, sale.id, refundId, mailed);
    });
  };
  const addReturnedMail = (isMismatch: boolean) => {
    const returned = {
      id: charge.id,
      paidCents,
      paidAt: at,
      totalCents: returnedCents,
      addedCents,
    };
    if (addedCents > 0) addStep((tx) => queueReturnedPaymentMail(tx, sale.id, { ...returned, isMismatch }));
  };
  if (judgement === "wrong") {
    steps.push({ write: "charge", move: { ...received, to: "mispaid", expectedCents: charge.amountCents } });
    addRefund("not-counted");
    if (!isReturned) {
      const amounts = { amountCents: paidCents, expectedCents: charge.amountCents };
      addStep((tx) => queueAmountMismatchMail(tx, { saleId: sale.id, chargeId: charge.id, ...amounts }));
      const mailed = { what: "mismatched", ...amounts, at: at.toISOString() } as const;
      addStep((tx) => queueBuyerPaymentMail(tx, sale.id, `mismatched/${charge.id}`, mailed));
    }
    addReturnedMail(true);
    return { outcome: "wrong-amount", steps };
  }
  const completesSale = judgement === "counts";
  if (!completesSale) addReturnedMail(false);
  const buyerCents = paid.buyerCents ?? null;
  steps.push({
    write: "charge",
    move: { ...received, to: "paid", isOverpayment: !completesSale, buyerCents },
  });
  addRefund(completesSale ? (isReturned ? "never-given" : "part-returned") : "not-counted");
  const completed = { to: "completed", at, feeCents, method: charge.method } as const;
  const reported = paid.dispute ?? null;
  const dispute = { chargeId: charge.id, origin: "provider", note: null, reported } as const;
  const completedSale = { id: sale.id, sellerId: sale.sellerId, status: "completed" } as const;
  if (isReturned) {
    if (completesSale) {
      // No mail for a payment that was already refunded. Its deliveries say completed, then refunded.
      steps.push({ write: "sale", move: completed, mails: [] });
      const refunded = { to: "refunded", refundedCents: paidCents } as const;
      if (isChargedBack) addStep((tx) => decideDispute(tx, sale.id, "lost", dispute, "provider"));
      else addStep((tx) => markSaleRefunded(tx, completedSale, refunded, refundCause));
    }
    return { outcome: "came-and-went", steps };
  }
  if (completesSale) {
    steps.push({ write: "sale", move: completed, mails: buildPaymentMails(sale, at) });
    // New to the sale, although a part may have been booked as the refund of a payment that does not count.
    const back = { refundedCents: returnedCents, addedCents: returnedCents };
    if (returnedCents > 0) addStep((tx) => bookSaleRefund(tx, completedSale, back, refundCause));
    if (paid.state === "disputed")
      addStep(async (tx) => {
        if (await openDispute(tx, sale.id, dispute, "provider")) await scheduleDisputedCheck(tx, charge.id);
      });
    return { outcome: "settled", steps };
  }
  const isDisputed = paid.state === "disputed";
  const overpayment = { chargeId: charge.id, paidCents, returnedCents, isDisputed, at };
  addStep((tx) => bookOverpayment(tx, sale, overpayment));
  return { outcome: "surplus", steps };
}
