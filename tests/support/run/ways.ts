import { test } from "vitest";

/** Whether tests run in all their variants, as `npm run test:long` asks for. */
export const EVERY_WAY = Boolean(process.env.EVERY_WAY);

/** A window's width in CSS pixels, and whether scripts run. */
export type Way = { width: number; javaScript: boolean };

const ALL_WAYS = [360, 1280].flatMap((width): Way[] =>
  [true, false].map((javaScript) => ({ width, javaScript })),
);

/**
 * The variants of a journey: on a phone with JavaScript and on a desktop without; the other two with `EVERY_WAY`, as
 * `npm run test:long` sets it.
 */
export const WAYS = EVERY_WAY
  ? ALL_WAYS
  : ALL_WAYS.filter(({ width, javaScript }) => javaScript === (width === 360));

/**
 * One of these, for screens of a seller that resemble others tested in the other variant;
 * `integration/harness/posted-forms` also posts each form without a script. All with `EVERY_WAY`.
 */
export function oneWay(javaScript: boolean): Way[] {
  return EVERY_WAY ? ALL_WAYS : WAYS.filter((way) => way.javaScript === javaScript);
}

/** Whether scripts run, for tests that choose their own width: in one of these ways; in both with `EVERY_WAY`. */
export function oneScript(javaScript: boolean): boolean[] {
  return EVERY_WAY ? [true, false] : [javaScript];
}

/** Window widths, in CSS pixels, for tests with JavaScript only: a phone's; with `EVERY_WAY` also a desktop's. */
export const WIDTHS = EVERY_WAY ? [360, 1280] : [360];

/** The variants of a screen: small and light, and wide and dark; all four with `EVERY_WAY`. */
export const COLOR_SCHEMES = [360, 1280]
  .flatMap((width) => [false, true].map((dark) => ({ width, dark })))
  .filter(({ width, dark }) => EVERY_WAY || dark === (width === 1280));

/** One of these, for screens that resemble others tested in the other variant; all with `EVERY_WAY`. */
export function oneScheme(dark: boolean): typeof COLOR_SCHEMES {
  return COLOR_SCHEMES.filter((scheme) => EVERY_WAY || scheme.dark === dark);
}

/**
 * Every `n`th of many that are alike, for a list in which each keeps its place; all where `EVERY_WAY` is set.
 * @param from the place of the first one, 0 to n - 1
 */
export function everyNth<T>(n: number, all: T[], from = 0): T[] {
  return all.filter((_, at) => EVERY_WAY || at % n === from);
}

/**
 * Two of several inputs that each of many cases gets: others for the next case, so that together the cases get all. All with
 * `EVERY_WAY`.
 * @param nth the number of the case
 */
export function twoOf<T>(all: T[], nth: number): T[] {
  return EVERY_WAY ? all : [all[nth % all.length]!, all[(nth + 1) % all.length]!];
}

/** Likewise one of them. */
export function oneOf<T>(all: T[], nth: number): T[] {
  return EVERY_WAY ? all : [all[nth % all.length]!];
}

/**
 * `test` for several tests that are written once for all variants: they take turns, the first test in the first variant,
 * the next in the second; all in every variant with `EVERY_WAY`.
 * @param variant the number of this one of `variants`, from 0
 * @param each in how many variants each test runs: this one and those after it
 */
export function testInTurn(variant: number, variants = 2, each = 1) {
  let count = 0;
  return (name: string, run: () => Promise<void>) => {
    const after = (variant + variants - (count++ % variants)) % variants;
    test.runIf(EVERY_WAY || after < each)(name, run);
  };
}

/** A test that costs more than every change can wait for: it runs where `EVERY_WAY` is set. */
export const longTest = test.runIf(EVERY_WAY);
