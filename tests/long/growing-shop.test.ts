import { expect, test } from "vitest";
import { openGrowingShop } from "#tests/integration/payments/growing-shop.ts";

test("a purchase costs hardly more where two million were made, with ten thousand products and a hundred thousand waiting mails", async () => {
  const { fill, costOf } = await openGrowingShop();
  await fill({ sales: 1_000, products: 10, waiting: 10 });
  const few = await costOf();
  await fill({ sales: 2_000_000, products: 10_000, waiting: 100_000 });
  const many = await costOf();
  const report = JSON.stringify({ few, many });
  expect(many.statements, report).toBe(few.statements);
  expect(many.pages / few.pages, report).toBeLessThan(1.25);
  console.info(report);
});
