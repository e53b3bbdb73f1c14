/** What a provider needs to act for a seller. */
export type Credentials = { apiKey: string };

/** A PIX the provider made. `providerId` is lowercase, `expiresAt` null where the provider does not tell. */
export type NewCharge = { providerId: string; pixCode: string; expiresAt: Date | null };

/**
 * What the provider says of a transaction, in our words. `open`: not paid. `ended`: expired or cancelled, and may be
 * paid all the same. `unclear`: a word we do not know; treated as open. Money in cents; `feeCents` null where untold.
 */
export type ProviderTransaction = {
  providerId: string;
  state: "open" | "paid" | "ended" | "refunded" | "unclear";
  word: string;
  amountCents: number;
  feeCents: number | null;
  endToEndId: string | null;
  payerName: string | null;
  webhookUrl: string | null;
};

/** News a provider pushed: never believed, only a reason to ask. */
export type ProviderNews = { providerId: string; status: string; endToEndId: string | null };

/** A PIX provider. Each method makes at most one call; none retries. */
export type Provider = {
  name: string;
  /** What the provider obliges sellers to say at the offer and before payment; null where nothing. */
  notice: string | null;
  minimumCents: number;
  /** Never ask about the same transaction more often than this (ms). */
  askAtMostEvery: number;
  /** The header that may carry the seller's webhook secret. */
  webhookHeader: string;
  createCharge(by: Credentials, charge: { amountCents: number; webhookUrl: string }): Promise<NewCharge>;
  /** Null where the provider does not know it (yet). */
  findTransaction(by: Credentials, providerId: string): Promise<ProviderTransaction | null>;
  /**
   * Asks for a whole payment back. Resolves where the provider says it will; whether it did shows `findTransaction`.
   * `no-answer` leaves open whether it acted; after `refused`, `credentials` and `busy` it did not.
   */
  refund(by: Credentials, providerId: string): Promise<void>;
  /** Whether the provider knows the seller's key; nothing is changed by asking. */
  checkCredentials(by: Credentials): Promise<boolean>;
  /** Null where the body is no news at all. */
  readNews(body: string): ProviderNews | null;
};

/**
 * The provider did not do it. `refused`: a definite no, with its words; `credentials`: the seller's key is wrong;
 * `busy`: try later (429, 5xx); `no-answer`: it may or may not have acted; `nonsense`: an answer that cannot be used.
 */
export class ProviderError extends Error {
  readonly kind: "refused" | "credentials" | "busy" | "no-answer" | "nonsense";
  constructor(kind: ProviderError["kind"], message: string) {
    super(message);
    this.name = "ProviderError";
    this.kind = kind;
  }
}
