/** Durations in milliseconds. Write `15 * MINUTE`, never `900000`. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
