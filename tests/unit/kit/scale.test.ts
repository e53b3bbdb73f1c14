import { expect, test } from "vitest";
import { areaPath, linePath, niceSteps } from "#app/kit/scale.ts";

test("steps are round, whole and reach the highest value", () => {
  expect(niceSteps(87, 4)).toEqual([0, 25, 50, 75, 100]);
  expect(niceSteps(3, 4)).toEqual([0, 1, 2, 3]);
  expect(niceSteps(0, 4)).toEqual([0, 1]);
  expect(niceSteps(1200, 4).at(-1)).toBeGreaterThanOrEqual(1200);
});

test("paths go through their points", () => {
  expect(
    linePath([
      [0, 1],
      [2.005, 3],
    ]),
  ).toBe("M0 1L2.01 3");
  expect(
    areaPath(
      [
        [0, 1],
        [2, 3],
      ],
      9,
    ),
  ).toBe("M0 1L2 3L2 9L0 9Z");
  expect(areaPath([], 9)).toBe("");
});
