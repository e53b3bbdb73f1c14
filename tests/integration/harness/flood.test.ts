import { expect } from "vitest";
import { flood, targets } from "#tests/integration/harness/flood.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sellOne } from "#tests/support/clients/sold-through.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/** More than there are connections: an address where one request needs two of them stops the process. */
const COPIES = 6;

longTest("a stranger asks every address at once, 120 at a time, and the shop goes on selling", async () => {
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
  const shots = (await targets(params)).flatMap(({ shots: ways }) =>
    ways.flatMap((way) => Array.from({ length: COPIES }, (_, copy) => way(copy))),
  );
  expect(await flood(app.url, shots, 120)).toEqual([]);
  await until(async () => (await app.fetch("/readyz")).status === 200);
  await sellOne(app, product.id, "depois@exemplo.com.br");
  await app.close();
});
