import { expect, test } from "vitest";
import { tellManySales } from "#tests/integration/outbox/deliver-many-sales.ts";

const SALES = 10_000;

test("ten thousand sales told to nine destinations that fail at random, by workers that are killed, all arrive, in order", async () => {
  const { told } = await tellManySales({ count: SALES, kills: 10, seconds: 25 * 60 });
  expect(told).toBeGreaterThan(SALES * 9);
});
