import { expect, test } from "vitest";
import {
  periodBefore,
  periodOf,
  RANGES,
  readRange,
  requestedRange,
} from "#app/domain/reports/figures/period.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** 23:30 of 20 November in São Paulo, already the 21st in UTC. */
const NOW = new Date("2026-11-21T02:30:00Z");

test("a period ends with today in São Paulo and has as many days as its name says", () => {
  const periods = RANGES.map((range) => periodOf(range, NOW));
  expect(periods.map(({ range, days, first, last }) => [range, days, first, last])).toEqual([
    ["7d", 7, "2026-11-14", "2026-11-20"],
    ["30d", 30, "2026-10-22", "2026-11-20"],
    ["90d", 90, "2026-08-23", "2026-11-20"],
    ["1y", 365, "2025-11-21", "2026-11-20"],
  ]);
  for (const { first, from, to } of periods) {
    expect(from).toEqual(new Date(`${first}T03:00:00Z`));
    expect(to).toEqual(new Date("2026-11-21T03:00:00Z"));
  }
});

test("the period before is as long, and ends the day before", () => {
  expect(periodBefore(periodOf("7d", NOW))).toEqual({ first: "2026-11-07", last: "2026-11-13" });
  expect(periodBefore(periodOf("1y", NOW))).toEqual({ first: "2024-11-21", last: "2025-11-20" });
});

test("an unknown range is seven days on a page; a program is told which there are", () => {
  expect(RANGES.map(readRange)).toEqual(RANGES);
  expect(RANGES.map(requestedRange)).toEqual(RANGES);
  for (const nothing of [null, ""])
    expect([readRange(nothing), requestedRange(nothing)]).toEqual(["7d", "7d"]);
  expect(readRange("5d")).toBe("7d");
  expect(() => requestedRange("5d")).toThrow(
    new Refusal("invalid", "range: use 7d, 30d, 90d ou 1y", "range"),
  );
});
