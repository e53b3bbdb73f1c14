import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";

/** How often stamping a file is begun: whatever ends the process that does it each time is the file's fault. */
export const MOST_TRIES = 3;
/** A buyer has what was paid for, stamped or not. */
export const LONGEST_WAIT = 3 * MINUTE;
/** A copy is made again where somebody asks for it later. */
export const KEPT = 30 * DAY;
/** What may have been somebody else's fault than the file's is forgotten. */
export const FORGIVEN = DAY;
/** How long a page waits before it says that it does. */
export const PATIENCE = 2 * SECOND;
