import { expect, test } from "vitest";
import { formatChange } from "#app/kit/format-change.ts";

test.each([
  [150, 100, "50%"],
  [50, 100, "50%"],
  [0, 100, "100%"],
  [1, 100_000, "mais de 99%"],
  [100_400, 100_000, "menos de 1%"],
  [99_600, 100_000, "menos de 1%"],
  [200, 100, "100%"],
  [1_234_500, 100_000, "1.135%"],
])("%i after %i is a change of its size", (now, before, text) => {
  expect(formatChange(now, before)).toBe(text);
});
