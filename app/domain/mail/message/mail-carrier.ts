import type { FrozenMail } from "#app/db/schema/mail-data.ts";
import { hideAddresses } from "#app/kit/mail-address.ts";

/** The frozen mail and our id of it, which the provider returns in its webhooks. */
type OutgoingMail = { id: string; idempotencyKey: string; mail: Omit<FrozenMail, "note"> };

/** Sends a mail. @returns the provider's id of it · @throws SendError */
export type SendFunction = (outgoing: OutgoingMail) => Promise<{ providerId: string | null }>;

/**
 * An account that sends mails. `isPaced`: it has a rate limit, so slots are reserved. `isRemoved`: its seller took the key away,
 * or connected another account, and knows that it sends no more.
 */
export type Carrier = { account: string; isPaced: boolean; isRemoved?: boolean; send: SendFunction };

/**
 * A mail that was not accepted, or an account that did not answer.
 * `isRetryable`: it may be accepted later (network, overload, quota).
 * `isUncertain`: no answer came, so it may have been accepted all the same.
 * `isAccountError`: the account was refused (key, domain, quota), not this mail: another account may send it, and where
 * there is none the mail waits.
 */
export class SendError extends Error {
  readonly isRetryable: boolean;
  readonly isUncertain: boolean;
  readonly isAccountError: boolean;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Until somebody repairs the account: a quota resets by itself. */
  get needsAction(): boolean {
    return this.isAccountError && !this.isRetryable;
  }
  /** The message without addresses: mail servers repeat the recipient's in their answer, and no log may keep it. */
  get logText(): string {
    return hideAddresses(this.message);
  }
  constructor(
    message: string,
    {
      isRetryable,
      isUncertain = false,
      isAccountError = false,
      retryAfter,
    }: {
      isRetryable: boolean;
      isUncertain?: boolean;
      isAccountError?: boolean;
      retryAfter?: number | undefined;
    },
  ) {
    super(message);
    this.name = "SendError";
    this.isRetryable = isRetryable;
    this.isUncertain = isUncertain;
    this.isAccountError = isAccountError;
    this.retryAfter = retryAfter;
  }
}
