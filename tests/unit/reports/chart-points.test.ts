import { expect, test } from "vitest";
import { type ChartPoint, chartPoints } from "#app/domain/reports/figures/chart-points.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { addDays } from "#app/kit/dates.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const TODAY = "2026-11-21";

/** One sale on each of so many days up to today, of as many cents as it is days ago. */
const daily = (count: number) =>
  Array.from({ length: count }, (_, ago) => ({ day: addDays(TODAY, -ago), sold: 1, revenueCents: ago }));
const spanOf = ({ first, last }: ChartPoint) => (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;

test("a week, a month and a quarter have a point a day, beside the same day of the period before", () => {
  for (const [range, length] of [
    ["7d", 7],
    ["30d", 30],
    ["90d", 90],
  ] as const) {
    const points = chartPoints(periodOf(range, NOW), daily(2 * length));
    expect(points).toEqual(
      Array.from({ length }, (_, at) => {
        const ago = length - 1 - at;
        const day = addDays(TODAY, -ago);
        const before = { previousSales: 1, previousRevenueCents: ago + length };
        return { first: day, last: day, sales: 1, revenueCents: ago, ...before };
      }),
    );
  }
});

test("a year has 52 weeks that end today, of which the oldest has eight days", () => {
  const points = chartPoints(periodOf("1y", NOW), daily(2 * 365));
  expect(points.map(spanOf)).toEqual([8, ...Array(51).fill(7)]);
  expect(points.map(({ sales, previousSales }) => [sales, previousSales])).toEqual(
    points.map((point) => [spanOf(point), spanOf(point)]),
  );
  expect(points[0]).toMatchObject({ first: "2025-11-22", last: "2025-11-29" });
  // The newest week is 0 to 6 days ago, and the one beside it 365 to 371.
  expect(points.at(-1)).toEqual({
    ...{ first: "2026-11-15", last: TODAY, sales: 7, revenueCents: 21 },
    ...{ previousSales: 7, previousRevenueCents: 7 * 365 + 21 },
  });
  for (const [at, { first }] of points.slice(1).entries()) expect(first).toBe(addDays(points[at]!.last, 1));
});

test("days without sales are points with zeros", () => {
  const points = chartPoints(periodOf("7d", NOW), [{ day: "2026-11-19", sold: 2, revenueCents: 300 }]);
  expect(points.map(({ sales, revenueCents }) => [sales, revenueCents])).toEqual([
    ...Array(4).fill([0, 0]),
    [2, 300],
    [0, 0],
    [0, 0],
  ]);
});
