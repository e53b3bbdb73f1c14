/**
 * What can differ between a provider's record of a payment and ours. `open`: not resolved; `explained`: known to be so, and
 * booked; `uncheckable`: nobody can be asked.
 */
export const DIFFERENCES = {
  /** Paid, with another amount than the charge's. */
  "amount-mismatch": "open",
  /** Paid when its sale was paid already. */
  overpayment: "open",
  /** A refund that the provider has not shown yet. */
  "refund-pending": "open",
  /** A refund that we stopped waiting for. */
  "refund-unconfirmed": "open",
  /** The provider does not know the transaction. */
  "unknown-there": "open",
  /** The provider knows it, and not as paid. */
  "not-paid-there": "open",
  /** A webhook announced a payment that no check has confirmed. */
  announced: "open",
  /** The provider's statement has another amount. */
  "statement-amount": "open",
  /** It lacks the payment, which no check has confirmed either. */
  "statement-missing": "open",
  /** It has a payment that is not booked. */
  "statement-unbooked": "open",
  /** More left the account than is booked: a refund or a chargeback. */
  "statement-refund": "open",
  /** It lacks a refund that is booked. */
  "statement-no-refund": "open",
  /** It lacks the payment, and the provider confirmed it when asked. */
  "statement-omits": "explained",
  /** Refunded at the provider without a request of ours. */
  "refund-observed": "explained",
  /** Refunded elsewhere, by the seller's own word. */
  "refund-recorded": "explained",
  /** The provider shows it as cancelled, and the seller looked: the money was not refunded. */
  "cancellation-checked": "explained",
  /** The provider refuses the key. */
  "key-refused": "uncheckable",
  /** The seller removed the key. */
  "key-missing": "uncheckable",
  /** Booked without a charge of ours. */
  "no-charge": "uncheckable",
} as const satisfies Record<string, "open" | "explained" | "uncheckable">;

export type DifferenceKind = keyof typeof DIFFERENCES;

/** A payment that differs. Money in cents; `cents` is what the difference is about. */
export type Difference = {
  kind: DifferenceKind;
  /** The São Paulo day it counts on. */
  day: string;
  /** When it was paid, or announced. */
  at: Date;
  /** Null where it was booked without a charge. */
  chargeId: string | null;
  saleId: string;
  cents: number;
  receivedCents: number | null;
  /** The amount of the charge. */
  expectedCents: number;
  provider: string | null;
  /** Whether a key is stored with which the provider can be asked. */
  canAsk: boolean;
  customerName: string | null;
  productName: string;
};

/** Where a page of differences begins: after this payment. */
export type DifferenceCursor = { at: Date; id: string };
