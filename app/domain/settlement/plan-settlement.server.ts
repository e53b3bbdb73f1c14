import type { AnyColumn } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import type { ChargeMove } from "#app/domain/charge/move-charge.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/paced-check.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { decideDispute, openDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { giveBackSale } from "#app/domain/sale/give-back-sale.server.ts";
import { judgePayment } from "#app/domain/sale/judge-payment.ts";
import { mailsOfPayment } from "#app/domain/sale/mark-sale-paid.server.ts";
import { markSaleReversed } from "#app/domain/sale/mark-sale-reversed.server.ts";
import type { SaleMove } from "#app/domain/sale/move-sale.server.ts";
import { queuePaymentNewsMail } from "#app/domain/sale/notices/payment-news/queue-payment-news-mail.server.ts";
import { queueReturnedMail } from "#app/domain/sale/notices/payment-news/queue-returned-mail.server.ts";
import { queueSurplusMail } from "#app/domain/sale/notices/queue-surplus-mail.server.ts";
import { queueWrongAmountMail } from "#app/domain/sale/notices/queue-wrong-amount-mail.server.ts";
import { type SaleContacts, saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * What settling did. `surplus`: the sale had been paid before, this money is to be given back; `wrong-amount`: it is not
 * what was asked for; `came-and-went`: it had gone back before we looked.
 */
export type Settlement = "settled" | "already" | "surplus" | "wrong-amount" | "came-and-went";

/** A charge and its sale, as a settlement needs to know them. Money in cents. */
export type ReadPayment = {
  charge: { id: string; status: ChargeStatus; amountCents: number };
  sale: SaleContacts;
};

/** Where each of it is read. A settlement that depends on more takes it from here, and then misses no change of it. */
export const paymentColumns = {
  charge: { id: charges.id, status: charges.status, amountCents: charges.amountCents },
  sale: saleContacts,
} satisfies { [K in keyof ReadPayment]: Record<keyof ReadPayment[K], AnyColumn> };

/** One thing that a settlement writes. */
export type SettlementStep =
  | { write: "charge"; move: ChargeMove }
  | { write: "sale"; move: SaleMove; mails: NewMail[] }
  | { write: "other"; run: (tx: Tx) => Promise<unknown> };

/**
 * What settling a payment writes, in this order: the one description, whether one statement writes it or several.
 * @param paid the payment as the provider itself confirmed it
 */
export function planSettlement(
  { charge, sale }: ReadPayment,
  paid: ProviderTransaction,
  at: Date,
): { outcome: Settlement; steps: SettlementStep[] } {
  const judgement = judgePayment(charge, sale, paid.amountCents);
  if (judgement === "already")
    return { outcome: charge.status === "mispaid" ? "wrong-amount" : "already", steps: [] };
  const { providerId, amountCents: paidCents, feeCents } = paid;
  const came = { providerId, paidCents, feeCents, at };
  const isLost = paid.state === "chargedback";
  const isBack = paid.state === "refunded" || isLost;
  // Nobody asks about a booked payment again of their own accord: what went back before is booked with it.
  const backCents = Math.min(paid.refundedCents ?? (isBack ? paidCents : 0), paidCents);
  const steps: SettlementStep[] = [];
  const also = (run: (tx: Tx) => Promise<unknown>) => steps.push({ write: "other", run });
  const giveBack = () => {
    const back = { chargeId: charge.id, amountCents: backCents, status: "done", origin: "observed" } as const;
    if (backCents > 0) also((tx) => openRefund(tx, back, "provider"));
  };
  const sendReturned = (isMismatch: boolean) => {
    const returned = { id: charge.id, paidCents, paidAt: at, totalCents: backCents, addedCents: backCents };
    if (backCents > 0) also((tx) => queueReturnedMail(tx, sale.id, { ...returned, isMismatch }));
  };
  const tellBuyer = (what: "overpaid" | "mismatched") => {
    const facts = { what, amountCents: paidCents, at: at.toISOString() };
    also((tx) => queuePaymentNewsMail(tx, sale.id, `${what}/${charge.id}`, facts));
  };
  if (judgement === "wrong") {
    steps.push({ write: "charge", move: { ...came, to: "mispaid", expectedCents: charge.amountCents } });
    giveBack();
    if (!isBack) {
      also((tx) => queueWrongAmountMail(tx, { saleId: sale.id, chargeId: charge.id, paidCents }));
      tellBuyer("mismatched");
    }
    sendReturned(true);
    return { outcome: "wrong-amount", steps };
  }
  const counts = judgement === "counts";
  if (!counts) sendReturned(false);
  steps.push({ write: "charge", move: { ...came, to: "paid", surplus: !counts } });
  giveBack();
  const completed = { to: "completed", at, feeCents } as const;
  const contested = { chargeId: charge.id, origin: "provider", note: null } as const;
  const booked = { id: sale.id, status: "completed" } as const;
  if (isBack) {
    if (counts) {
      // Nothing is delivered in between.
      steps.push({ write: "sale", move: completed, mails: [] });
      const refunded = { to: "refunded", refundedCents: paidCents } as const;
      if (isLost) also((tx) => decideDispute(tx, sale.id, "lost", contested, "provider"));
      else also((tx) => markSaleReversed(tx, booked, refunded, "provider"));
    }
    return { outcome: "came-and-went", steps };
  }
  if (counts) {
    steps.push({ write: "sale", move: completed, mails: mailsOfPayment(sale, at) });
    const back = { refundedCents: backCents, addedCents: backCents };
    if (backCents > 0) also((tx) => giveBackSale(tx, booked, back, "provider"));
    if (paid.state === "disputed")
      also(async (tx) => {
        if (await openDispute(tx, sale.id, contested, "provider")) await scheduleDisputedCheck(tx, charge.id);
      });
    return { outcome: "settled", steps };
  }
  also((tx) =>
    queueSurplusMail(tx, { saleId: sale.id, chargeId: charge.id, amountCents: paidCents - backCents }),
  );
  tellBuyer("overpaid");
  return { outcome: "surplus", steps };
}
