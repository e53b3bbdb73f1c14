import type { ProviderFailure, TRANSACTION_STATES } from "#app/db/schema/lists.ts";

/** What a provider needs to act for a seller. */
export type Credentials = { apiKey: string };

/** A PIX the provider made. `providerId` is lowercase, `expiresAt` null where the provider does not tell. */
export type NewCharge = { providerId: string; pixCode: string; expiresAt: Date | null };

/**
 * What the provider says of a transaction, in our words. `open`: not paid. What is `expired` or `cancelled` may be
 * paid all the same. `unclear`: a word we do not know; treated as open. Money in cents; `feeCents` null where untold;
 * `refundedCents` is how much of it went back, all where the state is `refunded` and the provider tells no sum.
 */
export type ProviderTransaction = {
  providerId: string;
  state: TransactionState;
  word: string;
  amountCents: number;
  feeCents: number | null;
  refundedCents: number | null;
  webhookUrl: string | null;
};

export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** News a provider pushed: never believed, only a reason to ask. `word` is the provider's own for the state. */
export type ProviderNews = {
  providerId: string;
  state: TransactionState;
  word: string;
  endToEndId: string | null;
};

/** A PIX provider. Each method makes at most one call; none retries. */
export type Provider = {
  name: string;
  /** Its name as people write it. */
  label: string;
  /** What the provider obliges sellers to say at the offer and before payment; null where nothing. */
  notice: string | null;
  /** The least a charge may ask for. */
  minimumCents: number;
  /** How long a code is offered where the provider does not say (ms). Presentation only: a late payment counts. */
  codeLifetime: number;
  /** Whether part of a payment can be given back, and for how long after it came in (ms). */
  refunds: { partial: boolean; within: number };
  /** Never ask about the same transaction more often than this (ms). */
  askAtMostEvery: number;
  /** The header that may carry the seller's webhook secret. */
  webhookHeader: string;
  createCharge(by: Credentials, charge: { amountCents: number; webhookUrl: string }): Promise<NewCharge>;
  /** Null where the provider does not know it (yet). */
  findTransaction(by: Credentials, providerId: string): Promise<ProviderTransaction | null>;
  /**
   * Asks for a payment back: all of it, or `amountCents` where the provider can give back a part. Resolves where the provider says it will; whether it did shows `findTransaction`.
   * `no-answer` leaves open whether it acted; after `refused`, `credentials` and `busy` it did not.
   */
  refund(by: Credentials, providerId: string, amountCents: number | null): Promise<void>;
  /** Whether the provider knows the seller's key; nothing is changed by asking. */
  checkCredentials(by: Credentials): Promise<boolean>;
  /** Null where the body is no news at all. */
  readNews(body: string): ProviderNews | null;
};

/** The provider did not do it; `kind` says whether it may have. The message is the provider's own, for the seller and the log. */
export class ProviderError extends Error {
  readonly kind: ProviderFailure;
  constructor(kind: ProviderFailure, message: string) {
    super(message);
    this.name = "ProviderError";
    this.kind = kind;
  }
}
