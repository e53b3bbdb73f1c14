import { concurrencyLimiter } from "#app/platform/concurrency-limiter.ts";

/** Concurrent calls by one account in one process: however many hang at two of them, others have capacity. */
const MAX_CALLS_PER_ACCOUNT = 10;
/** Mails claimed by one process, including those that wait for their slot. */
export const MAX_CLAIMED_MAILS = 4 * MAX_CALLS_PER_ACCOUNT;

/** Takes a slot for a call by an account. */
export const enterAccount = concurrencyLimiter(MAX_CALLS_PER_ACCOUNT);
