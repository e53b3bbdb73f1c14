import { expect, test } from "vitest";
import { ownsProduct } from "#app/domain/sales/owns-product.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const CPF = "52998224725";

async function bought(status: "completed" | "pending" | "refunded" = "completed") {
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { status, customerEmail: "ana@exemplo.com.br", customerDocumentSealed: seal(CPF) });
  return product;
}

test("the same e-mail and document own what they paid for", async () => {
  const product = await bought();
  const buyer = { email: "ana@exemplo.com.br", document: CPF, name: "Ana" };
  expect(await ownsProduct(product.id, buyer)).toBe(true);
  expect(await ownsProduct((await bought("pending")).id, buyer)).toBe(false);
  expect(await ownsProduct((await bought("refunded")).id, buyer)).toBe(false);
});

test("an e-mail with another document learns nothing", async () => {
  const product = await bought();
  const asking = { email: "ana@exemplo.com.br", document: "11144477735", name: "Beatriz Compradora" };
  expect(await ownsProduct(product.id, asking)).toBe(false);
});

test("where no document is asked for, the name must be the same", async () => {
  const product = await makeProduct(await makeSeller());
  await makeSale(product, {
    status: "completed",
    customerEmail: "ana@exemplo.com.br",
    customerName: "Ana Lima",
  });
  const asking = { email: "ana@exemplo.com.br", document: null };
  expect(await ownsProduct(product.id, { ...asking, name: "ana lima" })).toBe(true);
  expect(await ownsProduct(product.id, { ...asking, name: "Bia" })).toBe(false);
  expect(await ownsProduct(product.id, { ...asking, name: "" })).toBe(false);
});
