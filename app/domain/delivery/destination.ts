import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";

/** A destination as it is used, with its secrets decrypted. Never sent to a browser. */
export type OpenDestination = {
  id: string;
  sellerId: string;
  name: string;
  /** Settings of its kind, which the kind's own folder parses. */
  settings: unknown;
  secret: string | null;
  /** The secret before the last rotation; null once it no longer signs. */
  previousSecret: string | null;
  token: string | null;
};

/** One attempt's message. `id` is the same at every attempt; a test is of an invented sale. */
export type Message = { id: string; body: string; at: Date; isTest: boolean };

/** A call to be made. `secrets` are the texts that no log may contain. */
export type Request = {
  url: string;
  headers: Record<string, string>;
  body: string;
  secrets: string[];
  /** Only where it is no POST: a query, without a body. */
  method?: "GET";
  /** Only where the answer may be long: more of it is read, and of a long one this is stored. */
  shorten?: (answer: string) => string;
  /** Judges the answer in place of the kind's own judge. */
  judge?: Judge;
  /** The label in metrics in place of the kind's own, where the address is another one than its service's. */
  service?: string;
};

/**
 * An attempt's result. `again`: may succeed later; `gone`: the receiver wants nothing any more. `reason` is a code, put into
 * words where it is shown. `retryAfterMs`: how long the receiver asked us to wait.
 */
export type Verdict = {
  result: "taken" | "again" | "refused" | "gone";
  reason: AttemptOutcome;
  retryAfterMs?: number;
};

/** The result of a call: `status` is 0 without an answer; `body` is truncated, and secrets are redacted. */
export type AttemptResult = { verdict: Verdict; status: number; body: string; ms: number };

export const ATTEMPT_OUTCOMES = [
  "taken",
  "status",
  "redirect",
  "gone",
  "timeout",
  "network",
  "too-large",
  "forbidden",
  "lost",
  /** The token is refused. */
  "token",
  /** The message is refused; the reason is in the answer. */
  "rejected",
  /** The answer is neither a yes nor a no. */
  "unclear",
  /** A class that a product leads to does not exist there. */
  "unknown-class",
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/**
 * Why an event is not sent. Of a sale: the destination has no event for it, the buyer did not consent, no ad was clicked, or
 * an earlier event counted already. Of an access: the sale has no e-mail, nothing sold leads to the area, the money was
 * refunded before it was opened, or the buyer owns the same by another purchase and it stays open.
 */
export type Skipped = {
  skipReason:
    | ("nothing-to-say" | "no-consent" | "no-click" | "said-before")
    | ("no-email" | "no-class" | "given-back" | "disputed" | "still-held");
};

/** Classes that were opened to an e-mail; null where that was cleared since. */
export type Opened = { email: string | null; ids: number[] };

/** What was opened before: of the sale itself, and of sales the buyer still has. */
export type Openings = { own: Opened[]; kept: Opened[] };

/** Interprets an answer. */
export type Judge = (answer: { status: number; headers: Headers; body: string }) => Verdict;

/** ISO timestamps; null where it had no beginning, or has no end. */
export type ReceiverPeriod = { since: string | null; until: string | null };

/** How a kind of destination is sent to; durations in milliseconds. */
export type SendingKind = {
  /** The label of its calls in metrics. */
  service: string;
  /** The delays after failures that may pass; after the last one the delivery is given up. */
  retryDelays: readonly number[];
  /** How old an event (or, with `orderRanks`, the order) may be and still be sent. */
  maxAge: (event: DeliveryEvent) => number;
  /**
   * Failing for this long stops the destination, and the seller is mailed; what is refused for what it says counts from the third
   * sale on. Null: never.
   */
  stopAfter: number | null;
  timeoutMs: number;
  /**
   * Renders at each attempt: for receivers that store a current state, or need a consent that may be taken back. Otherwise each
   * attempt sends the same body, unless `isOutdated`.
   */
  rendersEachAttempt?: true;
  /**
   * Whether a stored body is not what the destination is to receive by now: its format was changed, or which fields are sent.
   * `isChanged`: whether the destination was saved since the last attempt.
   */
  isOutdated?: (body: string, to: OpenDestination, isChanged: boolean) => boolean;
  /**
   * When a PIX that was accepted counted as the purchase at the receiver of now: what another accepted, or as something else,
   * does not. Missing: always.
   */
  receiverPeriods?: (to: OpenDestination) => ReceiverPeriod[];
  /**
   * The receiver stores one record per order. The value is its rank; lower-ranked events are dropped once a higher one was
   * sent, or is queued. Each event of a sale is sent once, whichever charge it is about, and `maxAge` counts from the order.
   */
  orderRanks?: Partial<Record<DeliveryEvent, number>>;
  /** The bodies to send; none where it has no such event, or the reason to skip it. */
  render: (notification: SaleNotification, to: OpenDestination, openings?: Openings) => string[] | Skipped;
  /**
   * What stays the same of a part's body where each attempt renders it: the other parts may be gone by then. Null where a body
   * is no part.
   */
  partOf?: (body: string) => string | null;
  /**
   * An opening's body with what it keeps of the one it replaces, which is not sent; `sentBody` is without it. Only kinds with
   * this are given `openings`, which `openedBy` reads from a body.
   */
  keepOpened?: (body: string, replaced: string) => string;
  openedBy?: (body: string) => Opened[];
  sentBody?: (body: string) => string;
  buildRequest: (message: Message, to: OpenDestination) => Request;
  judge: Judge;
};
