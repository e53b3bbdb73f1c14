import { expect } from "vitest";
import { openGrowingShop } from "#tests/integration/payments/growing-shop.ts";
import { longTest } from "#tests/support/run/ways.ts";

longTest("a purchase costs hardly more where thirty times as many were made", async () => {
  const { fill, costOf } = await openGrowingShop();
  await fill({ sales: 1_000, products: 10, waiting: 10 });
  const few = await costOf();
  await fill({ sales: 30_000, products: 1_000, waiting: 10_000 });
  const many = await costOf();
  const report = JSON.stringify({ few, many }, null, 1);
  expect(many.statements, report).toBe(few.statements);
  expect(many.pages / few.pages, report).toBeLessThan(1.25);
});
