import { SECOND } from "#app/kit/duration.ts";

/** How long a program may take to stop: slightly more than the longest call to a provider. */
export const STOP_TIMEOUT = 20 * SECOND;
