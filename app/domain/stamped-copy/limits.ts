import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";

/** Attempts for a file that was never stamped: if its process dies each time, the file is the cause. */
export const MAX_ATTEMPTS = 3;
/** For a file that was stamped before, the pause before the next attempt; doubles each time, up to `MAX_RETRY_DELAY`. */
export const RETRY_DELAY = 30 * SECOND;
export const MAX_RETRY_DELAY = 30 * MINUTE;
/** Files that took at most this long are stamped before slower ones; most take less than a second. */
export const QUICK_DURATION = 5 * SECOND;
/** The seller is notified if a buyer waits for longer. */
export const DELAY_MAIL_AFTER = 3 * MINUTE;
/** An older copy is made again on request. */
export const COPY_RETENTION = 30 * DAY;
/** Older failures are deleted: their cause may not have been the file. */
export const FAILURE_RETENTION = DAY;
/** How long a page waits before it shows that it does. */
export const MAX_PAGE_WAIT = 2 * SECOND;
