import type { ProviderFailure, TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import type { AccountForm } from "#app/domain/gateway/providers/account-form.ts";

/** What a provider needs to act for a seller. */
export type Credentials = { apiKey: string };

/** What a charge is made from. `reference` is ours, random and unique; `document` is a CPF or CNPJ without punctuation. */
export type WantedCharge = {
  amountCents: number;
  reference: string;
  webhookUrl: string;
  payer: { name: string | null; document: string | null };
};

/** A PIX the provider made. `providerId` is lowercase, `expiresAt` null where the provider does not tell. */
export type NewCharge = { providerId: string; pixCode: string; expiresAt: Date | null };

/**
 * What the provider says of a transaction, in our words. `open`: not paid. What is `expired` or `cancelled` may be
 * paid all the same. `disputed`: paid, and contested by the payer's bank, which has not decided; `chargedback`: it took all
 * of it back. `unclear`: a word we do not know; treated as open. Money in cents; `feeCents` null where untold;
 * `refundedCents` is how much of it went back, all where the state is `refunded` or `chargedback` and the provider tells no sum.
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

/** News as they came in: the raw body, and the headers by name. */
export type RawNews = { body: string; header: (name: string) => string | null };

/**
 * What differs from one provider to the next. The rest of the app acts on these and never asks which provider it is. The
 * provider of the tests differs from the others in each of them.
 */
export type Capabilities = {
  /** What the provider obliges sellers to say at the offer and before payment; null where nothing. */
  notice: string | null;
  /** Its card in the seller's settings. */
  form: AccountForm;
  /** Whether a charge needs the payer's CPF or CNPJ: then the checkout asks for it, whatever the seller chose. */
  needsDocument: boolean;
  /** The least and the greatest amount of a charge; null where the provider has no limit that is the same for all accounts. */
  minimumCents: number;
  maximumCents: number | null;
  /** How long a code is offered where the provider does not say (ms). Presentation only: a late payment counts. */
  codeLifetime: number;
  /** Whether the same reference again gives the same charge again, so that creating may be repeated. */
  isCreatingIdempotent: boolean;
  /** Finds a charge by our reference, null where there is none; null in place of it where the provider cannot. */
  findByReference: ((by: Credentials, reference: string) => Promise<NewCharge | null>) | null;
  /** Never ask about the same transaction more often than this (ms). */
  askAtMostEvery: number;
  /** Whether part of a payment can be given back, and for how long after it came in (ms). */
  refunds: { partial: boolean; within: number };
  /**
   * Whether it reports disputes: a payment is `disputed`, then `paid` again or `chargedback`. Where not, the seller enters
   * them, and money that goes back while a dispute is open was taken by the bank.
   */
  reportsDisputes: boolean;
  /** Whether all news are signed. Where not, they are checked only for sellers who saved a webhook secret. */
  areNewsSigned: boolean;
};

/** A PIX provider. Each method makes at most one call; none retries. */
export type Provider = Capabilities & {
  /** In webhook addresses and in the database. */
  name: string;
  /** Its name as people write it, and its Portuguese article. */
  label: string;
  article: "a" | "o";
  /** `no-answer` leaves open whether it was made; after `refused`, `credentials` and `busy` it was not. */
  createCharge(by: Credentials, charge: WantedCharge): Promise<NewCharge>;
  /** Null where the provider does not know it (yet). */
  findTransaction(by: Credentials, providerId: string): Promise<ProviderTransaction | null>;
  /**
   * Asks for a payment back: all of it, or `amountCents` where the provider can give back a part. Resolves where the
   * provider says it will; whether it did shows `findTransaction`. `no-answer` leaves open whether it acted; after
   * `refused`, `credentials` and `busy` it did not.
   */
  refund(by: Credentials, providerId: string, amountCents: number | null): Promise<void>;
  /** Whether the provider knows the seller's key; nothing is changed by asking. */
  checkCredentials(by: Credentials): Promise<boolean>;
  /** Null where the body is no news at all. */
  readNews(body: string): ProviderNews | null;
  /** Whether news come from who knows the seller's webhook secret. */
  areNewsGenuine(secret: string, news: RawNews): boolean;
  /** News of an unpaid transaction as the provider would send them: for trying a seller's webhook address. */
  exampleNews(providerId: string, secret: string | null): { headers: Record<string, string>; body: string };
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
