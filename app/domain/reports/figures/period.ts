import { addDays, dayOf, startOfDaysAgo } from "#app/kit/dates.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The periods a report can show, in days. Source: spec, business constants. */
const RANGE_DAYS = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 } as const;

export type Range = keyof typeof RANGE_DAYS;
export const RANGES = Object.keys(RANGE_DAYS) as Range[];

/** The last so many São Paulo days, today among them. Days are `2026-11-21`; `to` is the moment after the last one. */
export type Period = { range: Range; days: number; first: string; last: string; from: Date; to: Date };

/** A range from an address; `7d` where it is none. */
export function readRange(text: string | null): Range {
  return RANGES.find((range) => range === text) ?? "7d";
}

/**
 * The same, but rejects an unknown range: an API client would take the figures for those it requested. @throws Refusal
 * invalid
 */
export function requestedRange(text: string | null): Range {
  if (!text || RANGES.some((range) => range === text)) return readRange(text);
  throw new Refusal("invalid", `range: use ${RANGES.slice(0, -1).join(", ")} ou ${RANGES.at(-1)}`, "range");
}

/** The period that ends with the day of `now`. */
export function periodOf(range: Range, now: Date): Period {
  const days = RANGE_DAYS[range];
  const last = dayOf(now);
  return {
    range,
    days,
    first: addDays(last, 1 - days),
    last,
    from: startOfDaysAgo(now, days - 1),
    to: startOfDaysAgo(now, -1),
  };
}

/** The equally long period right before. */
export function periodBefore({ first, days }: Period): { first: string; last: string } {
  return { first: addDays(first, -days), last: addDays(first, -1) };
}
