import { test } from "vitest";

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

/**
 * One of these, for screens of a seller like others that are walked the other way; each form is posted without a script by
 * `integration/harness/posted-forms`, too. All where `EVERY_WAY` is set.
 */
export function oneWay(javaScript: boolean): Way[] {
  return process.env.EVERY_WAY ? EVERY : WAYS.filter((way) => way.javaScript === javaScript);
}

/** The windows, in CSS pixels, of what is looked at with JavaScript alone: a phone's; a desk's, too, where `EVERY_WAY` is set. */
export const WIDTHS = process.env.EVERY_WAY ? [360, 1280] : [360];

/** How a screen is looked at: small and light, and wide and dark; all four where `EVERY_WAY` is set. */
export const LOOKS = [360, 1280]
  .flatMap((width) => [false, true].map((dark) => ({ width, dark })))
  .filter(({ width, dark }) => process.env.EVERY_WAY || dark === (width === 1280));

/** Every second of many that are alike, from the first or the second; all where `EVERY_WAY` is set. */
export function everySecond<T>(all: T[], fromSecond = false): T[] {
  return all.filter((_, at) => process.env.EVERY_WAY || at % 2 === Number(fromSecond));
}

/** A test that costs more than every change can wait for: it runs where `EVERY_WAY` is set. */
export const longTest = test.runIf(process.env.EVERY_WAY);
