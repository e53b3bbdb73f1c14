import type { FrozenMail } from "#app/db/schema/mails.server.ts";

/** What is sent: the frozen mail and our id of it, which the provider repeats in its news. */
type Outgoing = { id: string; idempotencyKey: string; mail: FrozenMail };

/** Something that takes a mail and carries it. @returns its id for the mail · @throws SendError */
export type Sender = (outgoing: Outgoing) => Promise<{ providerId: string | null }>;

/** An account that mails leave by. `isPaced`: it takes so many a second, and turns are reserved. */
export type Carrier = { account: string; isPaced: boolean; send: Sender };

/**
 * A mail that was not taken, or an account that did not answer.
 * `passes`: the same may be taken later (network, overload, quota).
 * `unsure`: no answer came, so it may have been taken all the same.
 * `account`: it is the account that is refused (key, domain, quota), not this mail: another account may carry it, and where
 * there is none the mail waits.
 */
export class SendError extends Error {
  readonly passes: boolean;
  readonly unsure: boolean;
  readonly account: boolean;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Until somebody mends the account: a quota passes by itself. */
  get needsHand(): boolean {
    return this.account && !this.passes;
  }
  constructor(
    message: string,
    {
      passes,
      unsure = false,
      account = false,
      retryAfter,
    }: { passes: boolean; unsure?: boolean; account?: boolean; retryAfter?: number | undefined },
  ) {
    super(message);
    this.name = "SendError";
    this.passes = passes;
    this.unsure = unsure;
    this.account = account;
    this.retryAfter = retryAfter;
  }
}
