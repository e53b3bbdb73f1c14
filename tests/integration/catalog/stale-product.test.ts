import { expect, test } from "vitest";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productForm } from "#app/domain/catalog/product-form.server.ts";
import { productVersion, updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { profileVersion, saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell } from "#tests/support/make.ts";

const STALE = { kind: "conflict", code: "stale" };
const fields = (name: string) =>
  productForm.parse({ name, price: "10", file_url: "https://exemplo.com.br/a", orderBumps: [], upsells: [] });

test("an older form does not replace a product whose bumps or upsells were saved elsewhere", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  for (const elsewhere of [() => makeBump(product), () => makeUpsell(product)]) {
    const version = productVersion(await findProduct(seller.id, product.id));
    await elsewhere();
    await expect(updateProduct(seller.id, product.id, fields("Velho"), version)).rejects.toMatchObject(STALE);
  }
  const stored = await findProduct(seller.id, product.id);
  expect([stored.name, stored.bumps.length, stored.upsells.length]).toEqual([product.name, 1, 1]);
});

test("of two forms of one version sent at once one is saved, and the other refused", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const version = productVersion(await findProduct(seller.id, product.id));
  const outcomes = await Promise.allSettled(
    ["Um", "Dois"].map((name) => updateProduct(seller.id, product.id, fields(name), version)),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: STALE });
});

test("of two profiles of one version sent at once one is saved, and the other refused", async () => {
  const seller = await makeSeller();
  const version = profileVersion(seller);
  const profile = (name: string) => ({ name, email: seller.email, company: "", phone: null });
  const outcomes = await Promise.allSettled(
    ["Um", "Dois"].map((name) => saveProfile(seller.id, profile(name), version)),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
