import { randomInt } from "node:crypto";
import { confirmedCents } from "../../refunds.ts";
import { DAY } from "../../time.ts";
import { NotAllowed, type Transaction, type Transactions } from "../../transactions.ts";
import type { CardPayment } from "./payment.ts";

/** A card's payment that its bank contests. */
export interface Chargeback {
  /** Longer than JavaScript's exact integers, as the real ones are. */
  id: string;
  /** The payment's id in the API of payments. */
  paymentId: number;
  openedAt: number;
  updatedAt: number;
  documentation: "not_applicable" | "pending" | "review_pending" | "valid" | "invalid" | "not_supplied";
  documentsUntil: number | null;
  files: { name: string; type: string; size: number }[];
  /** Whether the seller keeps the money; null until it is decided. */
  coverage: boolean | null;
}

const DOCUMENT_TYPES = ["application/pdf", "image/png", "image/jpeg"];
const MAX_DOCUMENTS = 10 * 1024 * 1024;

/** The card's bank contests a payment, which may have been refunded. `days`: until when documents are accepted; null: none are wanted. */
export function openChargeback(
  transactions: Transactions,
  transaction: Transaction,
  { days, now }: { days: number | null; now: number },
) {
  const { card, status } = transaction;
  if (!card || (status !== "paid" && !isWhollyRefunded(transaction)))
    throw new NotAllowed("Só um cartão já cobrado sofre chargeback.");
  if (card.chargeback?.coverage === null) throw new NotAllowed("Este pagamento já está contestado.");
  const chargeback: Chargeback = {
    id: `2${String(randomInt(1e14 - 1)).padStart(14, "0")}000`,
    paymentId: randomInt(1e10, 1e11),
    ...{ openedAt: now, updatedAt: now, files: [], coverage: null },
    documentation: days === null ? "not_applicable" : "pending",
    documentsUntil: days === null ? null : now + days * DAY,
  };
  const formerChargebacks = chargebacksOf(card);
  transactions.change(transaction, { card: { ...card, chargeback, formerChargebacks } });
}

/** All of a payment, oldest first. */
export function chargebacksOf({ chargeback, formerChargebacks }: CardPayment): Chargeback[] {
  return [...formerChargebacks, ...(chargeback ? [chargeback] : [])];
}

/** Whether the seller refunded all of a payment; what the bank took is no refund. */
export function isWhollyRefunded(transaction: Transaction): boolean {
  return confirmedCents(transaction) >= transaction.value;
}

/** The bank decides: the seller keeps the money, or it goes back. */
export function decideChargeback(
  transactions: Transactions,
  transaction: Transaction,
  { isKept, now }: { isKept: boolean; now: number },
) {
  const { card, chargeback } = undecided(transaction);
  const documentation = documentationAt(chargeback, now);
  const decided: Chargeback = {
    ...chargeback,
    ...{ coverage: isKept, updatedAt: now },
    documentation:
      documentation === "review_pending"
        ? isKept
          ? "valid"
          : "invalid"
        : documentation === "pending"
          ? "not_supplied"
          : documentation,
  };
  transactions.change(transaction, {
    ...(isKept ? {} : { status: "refunded" as const }),
    card: { ...card, chargeback: decided },
  });
}

/** Accepts documents, once. */
export function addDocuments(
  transactions: Transactions,
  transaction: Transaction,
  { files, now }: { files: Chargeback["files"]; now: number },
) {
  const { card, chargeback } = undecided(transaction);
  if (documentationAt(chargeback, now) !== "pending")
    throw new NotAllowed("Documentation is not required, or its deadline has passed.");
  if (files.length === 0 || files.some(({ type }) => !DOCUMENT_TYPES.includes(type)))
    throw new NotAllowed("Files are pdf, png or jpg.");
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_DOCUMENTS)
    throw new NotAllowed("Files have 10 MB at most.");
  transactions.change(transaction, {
    card: { ...card, chargeback: { ...chargeback, files, documentation: "review_pending", updatedAt: now } },
  });
}

/** The chargeback as the API shows it. */
export function chargebackJson({ value }: Transaction, chargeback: Chargeback, now: number) {
  const { id, paymentId, openedAt, updatedAt, documentsUntil, files, coverage } = chargeback;
  const at = (time: number) => new Date(time).toISOString();
  const documentation = documentationAt(chargeback, now);
  return {
    ...{ id, payments: [paymentId], currency: "BRL", amount: value / 100, reason: "general" },
    ...{ coverage_applied: coverage, coverage_elegible: true },
    documentation_required: documentation !== "not_applicable",
    documentation_status: documentation,
    documentation: files.map(({ name, type, size }) => ({
      type,
      description: `File: ${name}, Size: ${size}`,
    })),
    date_documentation_deadline: documentsUntil === null ? null : at(documentsUntil),
    ...{ date_created: at(openedAt), date_last_updated: at(updatedAt), live_mode: true },
  };
}

/** How an order that was charged back is detailed. */
export function chargebackDetail({ coverage }: Chargeback): string {
  if (coverage === null) return "in_process";
  return coverage ? "reimbursed" : "settled";
}

function documentationAt({ documentation, documentsUntil }: Chargeback, now: number) {
  const isLate = documentation === "pending" && documentsUntil !== null && now > documentsUntil;
  return isLate ? "not_supplied" : documentation;
}

function undecided({ card }: Transaction): { card: CardPayment; chargeback: Chargeback } {
  if (!card?.chargeback || card.chargeback.coverage !== null)
    throw new NotAllowed("Este pagamento não está contestado.");
  return { card, chargeback: card.chargeback };
}
