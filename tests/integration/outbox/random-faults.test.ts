import { expect } from "vitest";
import { tellManySales } from "#tests/integration/outbox/deliver-many-sales.ts";
import { longTest } from "#tests/support/run/ways.ts";

longTest(
  "sales told to nine destinations that fail at random, by workers that are killed, all arrive, in order, none lost",
  {
    timeout: 240_000,
  },
  async () => {
    const { told } = await tellManySales({ count: 80, kills: 2, seconds: 60 });
    expect(told).toBeGreaterThan(80 * 9);
  },
);
