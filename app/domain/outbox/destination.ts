import type { NewsEvent } from "#app/db/schema/lists.ts";
import type { SaleNews } from "#app/domain/outbox/news.ts";

/** A destination as it is used: its secrets readable. Never sent to a browser. */
export type OpenDestination = {
  id: string;
  sellerId: string;
  name: string;
  /** What its kind keeps: the kind's own folder reads it. */
  settings: unknown;
  secret: string | null;
  /** The secret it had until a moment ago; null where it signs no more. */
  previousSecret: string | null;
  token: string | null;
};

/** One try's message. `id` is the same at every try; a test is of an invented sale. */
export type Message = { id: string; body: string; at: Date; isTest: boolean };

/** A call to be made. `keepOut` are the texts that no log may hold. */
export type Request = {
  url: string;
  headers: Record<string, string>;
  body: string;
  keepOut: string[];
  /** What it is where it is no POST: a question, without a body. */
  method?: "GET";
  /** Who judges its answer where that is not the kind itself. */
  judge?: Judge;
};

/**
 * How a try ended. `again`: it may pass later; `gone`: they want to hear nothing any more. `why` is a kind, for words made
 * where it is shown. `restMs`: they asked for that much quiet.
 */
export type Verdict = {
  result: "taken" | "again" | "refused" | "gone";
  why: TryEnd;
  restMs?: number;
};

export const TRY_ENDS = [
  "taken",
  "status",
  "redirect",
  "gone",
  "timeout",
  "network",
  "too-large",
  "forbidden",
  "lost",
  /** They do not take our token. */
  "token",
  /** They answered that they do not take what they were sent; their words are in the answer. */
  "rejected",
  /** They answered something that says neither yes nor no. */
  "unclear",
  /** A class that a product leads to is not one of theirs. */
  "unknown-class",
] as const;
export type TryEnd = (typeof TRY_ENDS)[number];

/**
 * Why nothing is said of an event: there is no word for it, the buyer did not agree to it, no click of an ad led to it, it
 * was said by an earlier event; or of an access: the sale has no e-mail, what was sold leads nowhere there, it is to be
 * opened and the money went back since, it is to be closed and the buyer has the same by another purchase.
 */
export type Unsaid = {
  unsaid:
    | ("nothing-to-say" | "no-consent" | "no-click" | "said-before")
    | ("no-email" | "no-class" | "given-back" | "disputed" | "still-held");
};

/** What an answer means. */
export type Judge = (answer: { status: number; headers: Headers; body: string }) => Verdict;

/** What a kind of destination can do; durations in milliseconds. */
export type Destination = {
  /** As what its calls are measured. */
  service: string;
  /** The waits after each failure that may pass; after the last one it is given up. */
  pauses: readonly number[];
  /** How old news may get, or the order where they keep orders, and still be told. */
  tellWithin: (event: NewsEvent) => number;
  /** Nothing got there for this long: it is stopped, and its seller is told. Null: never. */
  stopAfter: number | null;
  timeoutMs: number;
  /**
   * Each try draws anew what it sends: where they keep how things stand, what counts is how they stand now. Else every try
   * says the same.
   */
  drawsAnew?: true;
  /**
   * They keep orders, and each message says all of one: how far each event leads it. Of a sale each event is told once,
   * whichever charge it is about. What leads less far than what they heard is not told any more; what they cannot be told
   * now gives way to what leads further. What may get too old is the order, not the news of it.
   */
  keepsOrders?: Partial<Record<NewsEvent, number>>;
  /** What is sent, a body each; none where it has no word for the event, or why there is nothing to say. */
  draw: (news: SaleNews, to: OpenDestination) => string[] | Unsaid;
  request: (message: Message, to: OpenDestination) => Request;
  judge: Judge;
};
