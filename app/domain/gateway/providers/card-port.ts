import type { DeclineReason } from "#app/db/schema/lists.ts";
import type { Credentials, ProviderTransaction } from "#app/domain/gateway/providers/port.ts";

/**
 * A payment with a card that the provider's own fields turned into a token: no card number reaches this server. `reference` is
 * ours, unguessable and unique; `brand` and `token` are the provider's; `document` is the holder's CPF or CNPJ without punctuation;
 * `deviceId` is what the provider's script says of the browser; `isChallengeRequired`: the card's bank is to challenge the buyer in any
 * case, since it declined the card without.
 */
export type CardPayment = {
  amountCents: number;
  reference: string;
  token: string;
  brand: string;
  instalments: number;
  productName: string;
  payer: { name: string; email: string; document: string };
  deviceId: string | null;
  isChallengeRequired: boolean;
};

/** What paying in `count` instalments costs the buyer, in cents: in all, and each. */
export type InstalmentPrice = {
  count: number;
  instalmentCents: number;
  totalCents: number;
  isInterestFree: boolean;
};

/** The instalments of an amount with one brand of cards, one payment first. */
export type InstalmentPrices = { brand: string; prices: InstalmentPrice[] };

/** What the page with the card's fields loads from the provider, and the sources that its policy allows for it. */
export type CardFields = {
  /** The script, and the global it defines. */
  sdkUrl: string;
  sdkName: string;
  /** The script that recognizes the browser, and the global that holds its id. */
  deviceUrl: string;
  deviceName: string;
  /** What a buyer is told where the fields refuse a card, by the error's code. */
  tokenErrors: Record<string, string>;
  sources: { script: string[]; connect: string[]; frame: string[]; image: string[] };
};

/** How a provider takes cards. No method retries a call, and none takes longer than 12 seconds. */
export type CardProvider = {
  fields(): CardFields;
  /**
   * Pays. A declined card is an answer, too: its state is `declined`; and so is a challenge: `in_review`. After `no-answer` it may
   * have been paid; after `refused`, `credentials` and `busy` it was not.
   */
  pay(credentials: Credentials, payment: CardPayment): Promise<ProviderTransaction>;
  /** Finds a payment by our reference; null where the provider knows none. */
  findPayment(credentials: Credentials, reference: string): Promise<ProviderTransaction | null>;
  /**
   * The instalments of an amount: for the card that begins with `bin`, its first 8 digits, else for the most common brand.
   * Null where no credit card begins so.
   */
  listInstalments(
    credentials: Credentials,
    amountCents: number,
    bin: string | null,
  ): Promise<InstalmentPrices | null>;
  /** Of a decline's own words those that say that the provider does not know the card's token. */
  unknownCardWords: string[];
  /** For how long after the payment a card is refunded (ms). */
  refundWindowMs: number;
  /**
   * How disputes are answered. Null where the provider does not report them; else a payment is `disputed`, then `paid` again or
   * `chargedback`.
   */
  disputes: CardDisputes | null;
};

/** What can be done about a card's dispute, by the provider's id of it. */
export type CardDisputes = {
  /** Finds our reference of the payment it is about; null where the provider does not say. */
  findReference(credentials: Credentials, disputeId: string): Promise<string | null>;
  /** Sends a PDF as evidence. After `no-answer` it may have arrived; after `refused`, `credentials` and `busy` it did not. */
  sendEvidence(credentials: Credentials, disputeId: string, pdf: Uint8Array<ArrayBuffer>): Promise<void>;
};

/**
 * What the card's bank asks the buyer before it decides (3-D Secure). `url`: its page, as the provider stated it; null where it
 * stated none.
 */
export type Challenge = { url: string | null };

/** Why a card was declined: our reason, and the provider's own word. */
export type Decline = { reason: DeclineReason; detail: string };
