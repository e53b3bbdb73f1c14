import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";

/** How often stamping a file that was never stamped is begun: whatever ends its process each time is the file's fault. */
export const MOST_TRIES = 3;
/** Of a file that was stamped before, the next try comes so long after the last; twice as long after each, up to `LONGEST_PAUSE`. */
export const PAUSE = 30 * SECOND;
export const LONGEST_PAUSE = 30 * MINUTE;
/** What a file took at most whose buyers go before those of slower ones: most take less than one. */
export const QUICK = 5 * SECOND;
/** Its seller is told that a buyer waits for longer. */
export const LONG_WAIT = 3 * MINUTE;
/** A copy is made again where somebody asks for it later. */
export const KEPT = 30 * DAY;
/** What may have been somebody else's fault than the file's is forgotten. */
export const FORGIVEN = DAY;
/** How long a page waits before it says that it does. */
export const PATIENCE = 2 * SECOND;
