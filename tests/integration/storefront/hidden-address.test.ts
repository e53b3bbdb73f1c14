import { expect, test } from "vitest";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSale } from "#tests/support/make.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ worker: 0 });

test("no page or answer for buyers shows the address a seller signs in with, unless the seller chose it", async () => {
  const { seller, product } = await openShop();
  const { saleId } = await buy(product.id);
  const paid = await makeSale(product, { status: "completed" });
  const open = (await routeTable()).filter(({ file }) => /^routes\/(buyer|api|site)\//.test(file));
  const lookedUp: string[] = [];
  for (const { address } of open) {
    if (address.endsWith("/events")) continue;
    for (const id of [saleId, paid.id]) {
      const fill = { productId: String(product.id), saleId: id, slug: product.checkoutSlug ?? "-" };
      const path = address.replace(/:(\w+)/g, (_, name: keyof typeof fill) => fill[name] ?? "-");
      const answer = await app.fetch(path);
      const text = await answer.text();
      if (answer.status === 200) lookedUp.push(address);
      expect(text, path).not.toContain(seller.email);
    }
  }
  for (const address of ["/checkout/:productId", "/checkout/pix/:saleId", "/thank-you/:saleId"])
    expect(lookedUp).toContain(address);
  await makeCheckoutSettings(seller, { support_contact: seller.email });
  const chosen = await app.fetch(`/checkout/pix/${saleId}`);
  expect(await chosen.text()).toContain(seller.email);
});
