import { places } from "#app/platform/places.ts";

/** Calls under way by one account in one process: however many hang at two of them, others find a place. */
const PER_ACCOUNT = 10;
/** Mails in hand in one process, those that wait for their turn among them. */
export const PLACES = 4 * PER_ACCOUNT;

/** A place for a mail by an account. */
export const takePlace = places(PER_ACCOUNT);
