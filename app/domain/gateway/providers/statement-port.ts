import type { STATEMENT_KINDS } from "#app/db/schema/lists.ts";
import type { Credentials } from "#app/domain/gateway/providers/port.ts";

/** A span of time. `end` is its last moment. */
export type Span = { begin: Date; end: Date };

/**
 * A movement of money in a statement. Money in cents: `amountCents` is negative where it left the account; `feeCents` is what
 * the provider kept of it, negative where it gave a fee back, and null where not stated. `sourceId` is the provider's id of the
 * payment, in its refunds and chargebacks, too; `reference` is ours, where the payment is one of ours. `releaseAt`: when the
 * seller can use the money.
 */
export type StatementLine = {
  kind: (typeof STATEMENT_KINDS)[number];
  sourceId: string;
  reference: string | null;
  amountCents: number;
  feeCents: number | null;
  at: Date;
  releaseAt: Date | null;
};

/**
 * A provider's own statement of an account, which it makes on request and takes a while for. No method retries a call, and none
 * takes longer than 12 seconds.
 */
export type StatementSource = {
  /**
   * Requests the statement of a span. Resolves to the provider's id of the request; null where the account had to be prepared
   * for statements first: request it again. After `no-answer` it may have been requested.
   */
  request(credentials: Credentials, span: Span): Promise<string | null>;
  /** Finds an earlier request of the same span, whose answer was lost; null where there is none. */
  findRequest(credentials: Credentials, span: Span): Promise<string | null>;
  /** The file of a requested statement, `waiting` while it is being made, and `failed` where it never will be. */
  findFile(credentials: Credentials, taskId: string): Promise<{ file: string } | "waiting" | "failed">;
  /**
   * Reads a file: payments, refunds and chargebacks, also those before and after its span. What was not ours is among them.
   * @throws ProviderError `nonsense` at a line that cannot be read: the whole file is then to be ignored
   */
  read(credentials: Credentials, file: string): Promise<AsyncIterable<StatementLine>>;
};
