/** A window's width in CSS pixels, and whether scripts run. */
export type Way = { width: number; javaScript: boolean };

const EVERY = [360, 1280].flatMap((width): Way[] =>
  [true, false].map((javaScript) => ({ width, javaScript })),
);

/**
 * How a journey is walked: on a phone with JavaScript and at a desk without; the other two where `EVERY_WAY` is set, as
 * `npm run test:long` sets it.
 */
export const WAYS = process.env.EVERY_WAY
  ? EVERY
  : EVERY.filter(({ width, javaScript }) => javaScript === (width === 360));
