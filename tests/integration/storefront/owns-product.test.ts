import { expect, test } from "vitest";
import { ownsProduct } from "#app/domain/order/select-earlier-sale.server.ts";
import { countStatements } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const EMAIL = "ana@exemplo.com.br";

async function bought(status: "completed" | "pending" | "refunded" = "completed") {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status, customerEmail: EMAIL });
  return { product, sale };
}

test("in the browser that bought it, the same e-mail owns what it paid for", async () => {
  const { product, sale } = await bought();
  expect(await ownsProduct(product.id, EMAIL, [sale.id])).toBe(true);
  for (const status of ["pending", "refunded"] as const) {
    const other = await bought(status);
    expect(await ownsProduct(other.product.id, EMAIL, [other.sale.id])).toBe(false);
  }
});

test("another product, another address and an upsell's sale do not count", async () => {
  const { product, sale } = await bought();
  const another = await bought();
  expect(await ownsProduct(another.product.id, EMAIL, [sale.id])).toBe(false);
  expect(await ownsProduct(product.id, "bia@exemplo.com.br", [sale.id])).toBe(false);
  expect(await ownsProduct(product.id, "", [sale.id])).toBe(false);
  const upsell = await makeSale(another.product, {
    status: "completed",
    customerEmail: EMAIL,
    parentSaleId: sale.id,
  });
  expect(await ownsProduct(another.product.id, EMAIL, [upsell.id])).toBe(false);
});

test("a browser that bought nothing learns nothing, and no query is made for it", async () => {
  const { product } = await bought();
  const { result, count } = await countStatements(() => ownsProduct(product.id, EMAIL, []));
  expect([result, count]).toEqual([false, 0]);
});
