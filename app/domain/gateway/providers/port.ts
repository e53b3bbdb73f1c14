import type { EvidenceStatus, ProviderFailure, TRANSACTION_STATES } from "#app/db/schema/lists.ts";
import type { AccountForm } from "#app/domain/gateway/providers/account-form.ts";
import type { CardProvider, Challenge, Decline } from "#app/domain/gateway/providers/card-port.ts";
import type { StatementSource } from "#app/domain/gateway/providers/statement-port.ts";

/** A seller's credentials at a provider. */
export type Credentials = { apiKey: string };

/** The request of a charge. `reference` is ours, random and unique; `document` is a CPF or CNPJ without punctuation. */
export type ChargeRequest = {
  amountCents: number;
  reference: string;
  webhookUrl: string;
  payer: { name: string | null; email: string | null; document: string | null };
};

/**
 * A PIX that the provider created. `providerId` is in the same letter case everywhere, `expiresAt` null where the provider
 * does not state it.
 */
export type CreatedCharge = { providerId: string; pixCode: string; expiresAt: Date | null };

/**
 * A transaction as the provider reports it. `open`: not paid; `expired` and `cancelled` ones may still be paid. `disputed`:
 * paid, and contested at the payer's bank, which has not decided; `chargedback`: the bank took all of it back. `unclear`: an
 * unknown status, treated as open. Money in cents; `feeCents` is null where not stated; `refundedCents` is what was refunded,
 * all of it where the state is `refunded` and the provider states no sum, and whatever it states where it is `chargedback`;
 * `areRefundsUnread`: it may be more, since not all could be read, which only a payment that is not booked yet is returned with.
 * `reference` is ours, where the provider states it. `rejectedRefunds`: our references of refunds that it accepted and then
 * did not do. Of a card: `buyerCents` is what the buyer pays in all, with interest; `decline` where it is `declined`;
 * `challenge` where it is `in_review` until the buyer answers the challenge of the card's bank; `dispute` where it was
 * contested.
 */
export type ProviderTransaction = {
  providerId: string;
  state: TransactionState;
  providerStatus: string;
  amountCents: number;
  feeCents: number | null;
  refundedCents: number | null;
  areRefundsUnread?: boolean;
  /** Whether its buyer may have paid an `open` one, which the provider has not confirmed. */
  isProcessing?: true;
  webhookUrl: string | null;
  reference?: string | null;
  rejectedRefunds?: string[];
  /**
   * Whether it lists a refund, whoever requested it, that it may still do: another one would be done beside it. Omitted where it
   * lists none.
   */
  hasOpenRefunds?: boolean;
  buyerCents?: number | null;
  decline?: Decline | null;
  challenge?: Challenge | null;
  dispute?: ProviderDispute | null;
  /** Its bank contests a payment that was refunded: it is undecided, or the money was taken a second time. */
  contestedAfterRefund?: "opened" | "lost" | null;
};

/** A dispute as its provider reports it, with what it contests, in cents. What is null it does not say. */
export type ProviderDispute = {
  providerId: string;
  amountCents: number | null;
  evidence: EvidenceStatus | null;
  /** Until when it accepts evidence. */
  evidenceDueAt: Date | null;
};

export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** What we know of a charge that is checked: how it was to be paid, and whether a payment of it is booked. */
export type KnownCharge = { method: "pix" | "card"; isBooked: boolean };

/** A provider webhook: never a proof, only a reason to check. `providerStatus` is the provider's own status. */
export type ProviderWebhook = {
  providerId: string;
  state: TransactionState;
  providerStatus: string;
  endToEndId: string | null;
  /** Our reference of the charge, where the webhook names it. */
  reference?: string | null;
};

/** A webhook about a dispute, by the provider's id of it: it does not name the payment. */
export type DisputeWebhook = { disputeId: string };

/** A refund to be requested. `reference` is ours and the same if the request is repeated; `amountCents` null: all of it. */
export type RefundRequest = { reference: string; amountCents: number | null };

/** A webhook as received: the raw body, and headers and the URL's query by name. */
export type RawWebhook = {
  body: string;
  header: (name: string) => string | null;
  query: (name: string) => string | null;
};

/**
 * What differs between providers. The rest of the app depends on these and never on a provider's name. The tests' provider
 * differs from the others in each of them.
 */
export type ProviderCapabilities = {
  /** What the provider obliges sellers to show at the checkout and before payment; null where nothing. */
  warning: string | null;
  /** Its card in the seller's settings. */
  form: AccountForm;
  /** Whether a charge needs the payer's CPF or CNPJ: the checkout then requires it, whatever the seller chose. */
  needsDocument: boolean;
  /** The same of the payer's e-mail. */
  needsEmail: boolean;
  /** What its API keys look like, and its public keys never do. */
  apiKeyPattern?: RegExp;
  /** The minimum and maximum of a charge; null where the limit differs between accounts. */
  minimumCents: number;
  maximumCents: number | null;
  /** How long a code is shown as payable where the provider states no expiry (ms). Presentation only: a late payment counts. */
  codeLifetimeMs: number;
  /** Whether the same reference returns the same charge, so that creating may be repeated. */
  isCreatingIdempotent: boolean;
  /** Finds a charge by our reference, null where there is none. Null itself where the provider cannot do that. */
  findByReference: ((credentials: Credentials, reference: string) => Promise<CreatedCharge | null>) | null;
  /** Cancels an unpaid charge, so that its code cannot be paid any more. Null itself where the provider cannot do that. */
  cancelCharge: ((credentials: Credentials, providerId: string) => Promise<void>) | null;
  /** The minimum time between two checks of the same transaction (ms). */
  minCheckIntervalMs: number;
  /** Whether part of a payment can be refunded, and for how long after a PIX (ms). */
  refunds: { partial: boolean; windowMs: number };
  /**
   * Whether it reports disputes of PIX: a payment is `disputed`, then `paid` again or `chargedback`. If not, the seller enters
   * them, and money returned while a dispute is open counts as taken by the bank.
   */
  reportsDisputes: boolean;
  /**
   * How a webhook proves its sender: by a secret that a seller may save, by one that each seller must save, by a signature
   * with one that a seller may save, or by a signature that the provider's public keys verify. `optional-signature`: some
   * of its own webhooks have a signature that does not match, so such a one has its charge checked all the same, at a limited rate.
   */
  webhookProof: "optional-secret" | "secret" | "optional-signature" | "public-keys";
  /** How it takes cards. Null where it does not. */
  cards: CardProvider | null;
  /** Its own statement of an account. Null where it has none: payments are then compared one by one. */
  statement: StatementSource | null;
};

/** A payment provider: each takes PIX. No method retries a call, and none takes longer than 12 seconds. */
export type Provider = ProviderCapabilities & {
  /** Used in webhook URLs and in the database. */
  name: string;
  /** Its display name, and the Portuguese article for it. */
  label: string;
  article: "a" | "o";
  /** After `no-answer` the charge may have been created; after `refused`, `credentials` and `busy` it was not. */
  createCharge(credentials: Credentials, charge: ChargeRequest): Promise<CreatedCharge>;
  /**
   * Null where the provider does not know it (yet). A payment that is not booked counts even where its refunds cannot be read:
   * the checks of a booked one find them.
   */
  findTransaction(
    credentials: Credentials,
    providerId: string,
    known?: KnownCharge,
  ): Promise<ProviderTransaction | null>;
  /**
   * Requests a refund: of all, or of `amountCents` where the provider can refund a part. Resolves where the provider accepts
   * it; `findTransaction` shows whether it happened. After `no-answer` it may have happened; after `refused`, `credentials`
   * and `busy` it did not.
   */
  refund(credentials: Credentials, providerId: string, refund: RefundRequest): Promise<void>;
  /** Whether the provider accepts the seller's key. Changes nothing at the provider. */
  checkCredentials(credentials: Credentials): Promise<boolean>;
  /**
   * Null where the body is not a webhook, `nothing` where it is not about a payment, such as a test of the address: that
   * needs no proof.
   */
  parseWebhook(body: string): ProviderWebhook | DisputeWebhook | "nothing" | null;
  /** Whether the sender knows the seller's webhook secret, or signed with one of the provider's keys. */
  isWebhookGenuine(secret: string, webhook: RawWebhook): boolean | Promise<boolean>;
  /**
   * A webhook of an unpaid transaction as the provider would send it, for testing a seller's webhook URL; `nothing` where
   * only the provider can sign.
   */
  exampleWebhook(
    providerId: string,
    secret: string | null,
  ): { headers: Record<string, string>; query?: Record<string, string>; body: string };
};

/**
 * A provider's failure; `kind` tells whether it may have acted. The message is the provider's own, for the seller and the log.
 * `isOfCall`: of refused credentials, that they may be good for other calls.
 */
export class ProviderError extends Error {
  readonly kind: ProviderFailure;
  readonly isOfCall: boolean;
  constructor(kind: ProviderFailure, message: string, isOfCall = false) {
    super(message);
    this.name = "ProviderError";
    this.kind = kind;
    this.isOfCall = isOfCall;
  }
}
