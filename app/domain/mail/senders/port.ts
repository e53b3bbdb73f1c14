import type { FrozenMail } from "#app/db/schema/mails.server.ts";

/** Something that takes a mail and carries it. @returns its id for the mail · @throws SendError */
export type Sender = (mail: FrozenMail, idempotencyKey: string) => Promise<{ providerId: string | null }>;

/**
 * A mail that was not taken. `passes` tells whether the same mail may be taken later (network, overload, quota);
 * the rest (bad address, unverified domain, wrong key) fails for good. `retryAfter` is in seconds.
 */
export class SendError extends Error {
  readonly passes: boolean;
  readonly retryAfter: number | undefined;
  constructor(message: string, passes: boolean, retryAfter?: number) {
    super(message);
    this.name = "SendError";
    this.passes = passes;
    this.retryAfter = retryAfter;
  }
}
