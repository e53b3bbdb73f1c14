import { expect, test } from "vitest";
import { discountOf } from "#app/ui/buyer/price.tsx";

test("what is free is 100% off, what still costs something never, and a price that is not lower not at all", () => {
  expect(discountOf(0, 4990)).toBe(100);
  expect(discountOf(1, 1_000_000)).toBe(99);
  expect(discountOf(4990, 4990)).toBeNull();
  expect(discountOf(0, null)).toBeNull();
});
