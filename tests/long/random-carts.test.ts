import { expect, test } from "vitest";
import { holdForCarts } from "#tests/integration/orders/carts/hold-for-carts.ts";
import { startApp } from "#tests/support/app.ts";

await startApp({ web: 0, worker: 0 });

test("every view of a cart says what it costs: 1,000 carts", { timeout: 120 * 60_000 }, async () => {
  const { free, upsells } = await holdForCarts(1000, 4);
  expect(Math.min(free, upsells)).toBeGreaterThan(0);
});
