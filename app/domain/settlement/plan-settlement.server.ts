import type { AnyColumn } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { Cause, ChargeMethod, ChargeStatus, SaleStatus } from "#app/db/schema/lists.ts";
import type { ObservedRefundData } from "#app/db/schema/mail-data.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/check-times.server.ts";
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
import {
  computeRefundedCents,
  isOnlyRecorded,
  type KnownRefund,
  type PaymentKind,
} from "#app/domain/sale/payments.ts";
import { type SaleContacts, saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { mayMoveSale } from "#app/domain/sale/states.ts";
import { bookOverpayment } from "#app/domain/settlement/book-overpayment.server.ts";

/** What a payment that its provider confirmed is to its sale; `already`: it is booked. */
export type PaymentVerdict = PaymentKind | "already";

/** Judges a payment by the recorded state of its charge and sale. */
export function judgePayment(
  charge: { status: ChargeStatus; amountCents: number },
  sale: { status: SaleStatus },
  paidCents: number,
): PaymentVerdict {
  if (charge.status === "paid") return "already";
  if (charge.amountCents !== paidCents) return charge.status === "mispaid" ? "already" : "amount-mismatch";
  // A disputed sale may become completed again, but it has been paid.
  return sale.status !== "disputed" && mayMoveSale(sale.status, "completed") ? "counts" : "overpayment";
}

/**
 * What settling did. `overpayment`: the sale was paid before, so this money is to be refunded; `amount-mismatch`: it is not the
 * amount charged; `came-and-went`: it was refunded before we checked.
 */
export type Settlement = "settled" | "already" | "overpayment" | "amount-mismatch" | "came-and-went";

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
  const verdict = judgePayment(charge, sale, paid.amountCents);
  if (verdict === "already")
    return { outcome: charge.status === "mispaid" ? "amount-mismatch" : "already", steps: [] };
  const returned = sumReturned(paid, earlier);
  const payment: ConfirmedPayment = { charge, sale, paid, at, returned };
  if (verdict === "amount-mismatch") return { outcome: "amount-mismatch", steps: planMismatch(payment) };
  if (verdict === "overpayment")
    return { outcome: returned.isAll ? "came-and-went" : "overpayment", steps: planOverpayment(payment) };
  return { outcome: returned.isAll ? "came-and-went" : "settled", steps: planSalePayment(payment) };
}

/** What of a payment was refunded before it is booked. */
type Returned = { cents: number; addedCents: number; isAll: boolean; isChargedBack: boolean; cause: Cause };

/** A payment to be booked. */
type ConfirmedPayment = PaymentSnapshot & { paid: ProviderTransaction; at: Date; returned: Returned };

/** A booked payment is not checked again without a reason, so what was refunded before is booked with it. */
function sumReturned(
  { state, amountCents: paidCents, refundedCents }: ProviderTransaction,
  earlier: Pick<KnownRefund, "status" | "origin" | "amountCents">[],
): Returned {
  const isChargedBack = state === "chargedback";
  const isReportedReturned = state === "refunded" || isChargedBack;
  const bookedCents = computeRefundedCents(earlier);
  const reportedCents = isChargedBack ? paidCents : (refundedCents ?? (isReportedReturned ? paidCents : 0));
  const cents = Math.min(Math.max(reportedCents, bookedCents), paidCents);
  const addedCents = Math.max(cents - bookedCents, 0);
  return {
    cents,
    addedCents,
    isAll: isReportedReturned || (state === "paid" && cents === paidCents),
    isChargedBack,
    // What only its seller recorded is booked as such: the buyer is told who states it.
    cause: addedCents === 0 && isOnlyRecorded(earlier) ? "seller" : "provider",
  };
}

function planMismatch(payment: ConfirmedPayment): SettlementStep[] {
  const { charge, sale, paid, at, returned } = payment;
  const expectedCents = charge.amountCents;
  const amounts = { amountCents: paid.amountCents, expectedCents };
  const isDisputed = paid.state === "disputed";
  const toSeller = {
    ...amounts,
    ...(returned.cents > 0 && { returnedCents: returned.cents }),
    ...(isDisputed && { disputed: "at-once" as const }),
  };
  const mailed = {
    ...({ what: "mismatched", ...amounts, at: at.toISOString() } as const),
    ...(isDisputed && { isDisputed }),
  };
  const mails = [
    other((tx) => queueAmountMismatchMail(tx, sale.id, charge.id, toSeller)),
    other((tx) => queueBuyerPaymentMail(tx, sale.id, `mismatched/${charge.id}`, mailed)),
  ];
  return [
    { write: "charge", move: { ...receivedColumns(payment), to: "mispaid", expectedCents } },
    ...refundSteps(payment, "not-counted"),
    ...(returned.isAll ? [] : mails),
    ...returnedMailSteps(payment, true),
  ];
}

function planOverpayment(payment: ConfirmedPayment): SettlementStep[] {
  const { charge, sale, paid, at, returned } = payment;
  const overpayment = {
    ...{ chargeId: charge.id, paidCents: paid.amountCents, returnedCents: returned.cents },
    ...{ isDisputed: paid.state === "disputed", at },
  };
  return [
    ...returnedMailSteps(payment, false),
    paidStep(payment, true),
    ...refundSteps(payment, "not-counted"),
    ...(returned.isAll ? [] : [other((tx) => bookOverpayment(tx, sale, overpayment))]),
  ];
}

/** Completes the sale. What followed before the payment is booked comes after that, as if it had been booked in time. */
function planSalePayment(payment: ConfirmedPayment): SettlementStep[] {
  const { charge, sale, paid, at, returned } = payment;
  const move = { to: "completed", at, feeCents: paid.feeCents, method: charge.method } as const;
  const completed = { id: sale.id, sellerId: sale.sellerId, status: "completed" } as const;
  const dispute = {
    ...({ chargeId: charge.id, origin: "provider", note: null } as const),
    reported: paid.dispute ?? null,
  };
  const steps = [
    paidStep(payment, false),
    ...refundSteps(payment, returned.isAll ? "never-given" : "part-returned"),
  ];
  if (returned.isAll) {
    const refunded = { to: "refunded", refundedCents: paid.amountCents } as const;
    return [
      ...steps,
      // No mail for a payment that was already refunded. Its deliveries say completed, then refunded.
      { write: "sale", move, mails: [] },
      returned.isChargedBack
        ? other((tx) => decideDispute(tx, sale.id, "lost", dispute, "provider"))
        : other((tx) => markSaleRefunded(tx, completed, refunded, returned.cause)),
    ];
  }
  steps.push({ write: "sale", move, mails: buildPaymentMails(sale, at) });
  // New to the sale, although a part may have been booked as the refund of a payment that does not count.
  const part = { refundedCents: returned.cents, addedCents: returned.cents };
  if (returned.cents > 0) steps.push(other((tx) => bookSaleRefund(tx, completed, part, returned.cause)));
  if (paid.state === "disputed")
    steps.push(
      other(async (tx) => {
        if (await openDispute(tx, sale.id, dispute, "provider")) await scheduleDisputedCheck(tx, charge.id);
      }),
    );
  return steps;
}

function other(run: (tx: Tx) => Promise<unknown>): SettlementStep {
  return { write: "other", run };
}

function receivedColumns({ paid: { providerId, amountCents, feeCents }, at }: ConfirmedPayment) {
  return { providerId, paidCents: amountCents, feeCents, at };
}

function paidStep(payment: ConfirmedPayment, isOverpayment: boolean): SettlementStep {
  const buyerCents = payment.paid.buyerCents ?? null;
  return { write: "charge", move: { ...receivedColumns(payment), to: "paid", isOverpayment, buyerCents } };
}

/** Books what was refunded and is not booked yet. */
function refundSteps(
  { charge, sale, returned: { addedCents, isChargedBack } }: ConfirmedPayment,
  access: ObservedRefundData["access"],
): SettlementStep[] {
  if (addedCents === 0) return [];
  const refund = {
    ...{ sellerId: sale.sellerId, chargeId: charge.id, amountCents: addedCents },
    ...({ status: "done", origin: "observed" } as const),
  };
  return [
    other(async (tx) => {
      const refundId = await openRefund(tx, refund, "provider");
      if (!isChargedBack)
        await queueObservedRefundMail(tx, sale.id, refundId, { amountCents: addedCents, access });
    }),
  ];
}

/** Mails the buyer that a payment which does not count was refunded. */
function returnedMailSteps(
  { charge, sale, paid, at, returned: { cents, addedCents } }: ConfirmedPayment,
  isMismatch: boolean,
): SettlementStep[] {
  if (addedCents === 0) return [];
  const mailed = { id: charge.id, paidCents: paid.amountCents, paidAt: at, totalCents: cents, addedCents };
  return [other((tx) => queueReturnedPaymentMail(tx, sale.id, { ...mailed, isMismatch }))];
}
