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

/** A call to be made; a POST. `keepOut` are the texts that no log may hold. */
export type Request = { url: string; headers: Record<string, string>; body: string; keepOut: string[] };

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
] as const;
export type TryEnd = (typeof TRY_ENDS)[number];

/**
 * Why nothing is said of an event: there is no word for it, the buyer did not agree to it, no click of an ad led to it, or
 * it was said by an earlier event.
 */
export type Unsaid = { unsaid: "nothing-to-say" | "no-consent" | "no-click" | "said-before" };

/** What a kind of destination can do; durations in milliseconds. */
export type Destination = {
  /** As what its calls are measured. */
  service: string;
  /** The waits after each failure that may pass; after the last one it is given up. */
  pauses: readonly number[];
  /** How old news may get and still be told. */
  tellWithin: (event: NewsEvent) => number;
  /** Nothing got there for this long: it is stopped, and its seller is told. Null: never. */
  stopAfter: number | null;
  timeoutMs: number;
  /** What is sent, a body each; none where it has no word for the event, or why there is nothing to say. */
  draw: (news: SaleNews, to: OpenDestination) => string[] | Unsaid;
  request: (message: Message, to: OpenDestination) => Request;
  judge: (answer: { status: number; headers: Headers; body: string }) => Verdict;
};
