import { expect, test } from "vitest";
import { ORDER_ROUTES, openScene } from "#tests/integration/payments/order-routes.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements } from "#tests/support/database.ts";

await startApp({ web: 0, worker: 0 });

/**
 * How many statements each route may use for one order and its PIX; more needs a reason. With a purchase: whether its money is
 * to go back, since nothing is sold with it then.
 */
const MAX: Record<string, number> = { page: 9, api: 10, "upsell page": 16, "thank-you page": 16 };

test.each(Object.entries(ORDER_ROUTES))(
  "an order by the %s takes a bounded number of statements",
  async (name, orderRoute) => {
    await orderRoute.knock(await openScene());
    const scene = await openScene();
    const { result, statements } = await countStatements(() => orderRoute.knock(scene));
    expect(result.sale).toEqual(expect.any(String));
    expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(MAX[name]!);
  },
);
