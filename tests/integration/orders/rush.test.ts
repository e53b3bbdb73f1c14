import { expect } from "vitest";
import { openGrowingShop } from "#tests/integration/payments/growing-shop.ts";
import { longTest } from "#tests/support/run/ways.ts";

longTest(
  "a purchase costs hardly more where thousands of rows wait of which the statistics know nothing",
  async () => {
    const { fill, costOf, rush } = await openGrowingShop();
    await fill({ sales: 1_000, products: 10, waiting: 0 });
    const rested = await costOf();
    await rush(3_000);
    const rushed = await costOf();
    const figures = JSON.stringify({ rested, rushed }, null, 1);
    expect(rushed.statements, figures).toBe(rested.statements);
    // Scanning the backlog once is 3,000 pages, twice as many as a whole purchase reads.
    expect(rushed.pages / rested.pages, figures).toBeLessThan(2);
  },
);
