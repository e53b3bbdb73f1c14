import { SECOND } from "#app/kit/duration.ts";

/** The maximum size of an uploaded picture, in bytes: a phone's largest photo. */
export const MAX_PICTURE_BYTES = 25_000_000;
/** Attempts to process a picture: if the process dies each time, the picture is the cause. */
export const MAX_ATTEMPTS = 3;
/** Pictures of one seller that wait to be processed. */
export const MAX_WAITING = 40;
/** The pause before the next attempt where the blob store is full or unavailable. */
export const RETRY_DELAY = 30 * SECOND;
