import { expect } from "vitest";
import { deliverManySales } from "#tests/integration/deliveries/deliver-many-sales.ts";
import { longTest } from "#tests/support/run/ways.ts";

longTest(
  "sales told to nine destinations that fail at random, by workers that are killed, all arrive, in order, none lost",
  async () => {
    const { delivered } = await deliverManySales({ count: 80, kills: 2, seconds: 60 });
    expect(delivered).toBeGreaterThan(80 * 9);
  },
);
