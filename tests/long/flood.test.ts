import { expect, test } from "vitest";
import { flood, targets } from "#tests/integration/harness/flood.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sellOne } from "#tests/support/clients/sold-through.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

test("a stranger requests each address 120 times at once, in each way, and after each the process is ready", async () => {
  const app = await startApp();
  const { product } = await openShop();
  const sale = await makeSale({ ...product, fileUrl: null });
  await makeCharge(sale, { status: "open" });
  const params = {
    productId: String(product.id),
    slug: product.checkoutSlug ?? "x",
    saleId: sale.id,
    provider: "pushinpay",
  };
  const bad: string[] = [];
  for (const { shots } of await targets(params)) {
    for (const way of shots) {
      const copies = Array.from({ length: 120 }, (_, copy) => way(copy));
      bad.push(...(await flood(app.url, copies, 120)));
    }
    await until(async () => (await app.fetch("/readyz")).status === 200);
  }
  expect(bad).toEqual([]);
  await sellOne(app, product.id, "depois@exemplo.com.br");
  await app.close();
});
