import { expect, test } from "vitest";
import { formatPercent, percentOf } from "#app/domain/reports/figures/percent.ts";

test.each([
  [0, "0,0%"],
  [97.25, "97,3%"],
  [99.97, "99,9%"],
  [100, "100,0%"],
  [140.04, "140,0%"],
])("%s per cent is shown as %s: less than everything is not 100", (percent, text) => {
  expect(formatPercent(percent)).toBe(text);
});

test("a share of a whole is 100 only if it is all of it", () => {
  expect([percentOf(1999, 2000), percentOf(2000, 2000), percentOf(1, 3)]).toEqual([99.9, 100, 33.3]);
});
