import { NotAllowed, type Transaction, type Transactions } from "../../transactions.ts";
import type { Chargeback } from "./chargeback.ts";

/** A payment by card, beside what every transaction has. Money in cents; `value` of the transaction is without interest. */
export interface CardPayment {
  brand: string;
  installments: number;
  installmentCents: number;
  /** With interest. */
  totalCents: number;
  statementDescriptor: string | null;
  /** Of the order's first item; null without one. */
  itemTitle: string | null;
  /** Null without a known token. */
  holderName: string | null;
  /** `X-meli-session-id` of the call. */
  sessionId: string | null;
  /** What an order that was neither approved nor declined waits for. */
  waitsFor: "review" | "challenge" | null;
  /** Of the 3DS page's address. */
  challengeUrl: string | null;
  declineReason: string | null;
  /** The newest one; null where its bank never contested it. */
  chargeback: Chargeback | null;
  /** Those before it, oldest first. */
  formerChargebacks: Chargeback[];
}

/** Ends an undecided payment. It can never be paid. */
export function declineCard(transactions: Transactions, transaction: Transaction, reason: string) {
  const card = undecidedCard(transaction);
  transactions.change(transaction, { status: "canceled", card: { ...card, declineReason: reason } });
}

export function approveCard(transactions: Transactions, transaction: Transaction) {
  undecidedCard(transaction);
  transactions.pay(transaction);
}

function undecidedCard({ card, status }: Transaction): CardPayment {
  if (!card || status !== "created") throw new NotAllowed("Este pagamento não espera uma decisão.");
  return card;
}
