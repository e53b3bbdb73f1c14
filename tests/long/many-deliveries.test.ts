import { expect, test } from "vitest";
import { deliverManySales } from "#tests/integration/deliveries/deliver-many-sales.ts";

const SALES = 10_000;

test("ten thousand sales sent to nine destinations that fail at random, by workers that are killed, all arrive, in order", {
  timeout: 120 * 60_000,
}, async () => {
  const { delivered } = await deliverManySales({ count: SALES, kills: 10, seconds: 25 * 60 });
  expect(delivered).toBeGreaterThan(SALES * 9);
});
