import { expect, test } from "vitest";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { newProductBody } from "#app/domain/catalog/product-form.server.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { duplicateOffer } from "#app/domain/offer/arrange-offers.server.ts";
import * as list from "#app/routes/seller/products/products.tsx";
import { readFlash } from "#app/server/session/flash.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeOffer, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

test("a copy has everything, is inactive, gets its own slug and comes first", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: "violao", promotionText: "Só hoje" });
  await makeProduct(seller, { name: "Mais novo" });
  await makeBump(product, { name: "B2", position: 1, urgencyText: "Últimas vagas" });
  await makeBump(product, { name: "B1", position: 0 });
  await makeUpsell(product, { benefits: ["um", "dois"], videoUrl: "https://v.exemplo/1" });
  const copy = await duplicateProduct(seller.id, product.id);
  expect(copy.name).toBe("Curso de Violão (cópia)");
  const made = await findProduct(seller.id, copy.id);
  expect(made).toMatchObject({ checkoutSlug: "violao-copia", promotionText: "Só hoje", priceCents: 9700 });
  expect(made.deactivatedAt).toBeInstanceOf(Date);
  expect(made.bumps.map((b) => [b.name, b.urgencyText])).toEqual([
    ["B1", null],
    ["B2", "Últimas vagas"],
  ]);
  expect(made.upsells).toMatchObject([{ benefits: ["um", "dois"], videoUrl: "https://v.exemplo/1" }]);
  expect((await listProducts(seller.id, { limit: 1 })).items[0]!.id).toBe(copy.id);
});

test("a seller who copies a product reads which destinations choose it, since they do not choose the copy", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const headers = await signedIn(seller);
  const duplicate = async () => {
    const body = new URLSearchParams({ intent: "duplicate", id: String(product.id) });
    const answer = await call(list, "/products", { method: "POST", headers, body });
    const cookie = answer.headers.getSetCookie().join("; ");
    return (await readFlash(new Request("http://x", { headers: { cookie } }))).flash?.text;
  };
  expect(await duplicate()).toBe('Produto "Curso de Violão (cópia)" duplicado com sucesso!');
  await makeWebhook(seller, { name: "Todos" });
  await makeWebhook(seller, { name: "Escolhidos", productIds: [product.id] });
  await makeWebhook(seller, { name: "Menos este", exceptProductIds: [product.id] });
  await makeWebhook(seller, { name: "Apagado", productIds: [product.id], deletedAt: new Date() });
  await makeWebhook(await makeSeller(), { name: "De outro", productIds: [product.id] });
  const said = await duplicate();
  expect(said).toContain("O original está escolhido em Escolhidos, e a cópia não");
  expect(said).toContain("O original está desligado em Menos este, e a cópia não");
});

test("a form that is sent again makes no other copy, and a page opened since makes another", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: "Dobro" });
  const headers = await signedIn(seller);
  const open = async () =>
    String((await (await call(list, "/products", { headers })).json()).products[0].openedAt);
  const press = async (at: string, id = product.id) => {
    const body = new URLSearchParams({ intent: "duplicate", id: String(id), at });
    return (await call(list, "/products", { method: "POST", headers, body })).status;
  };
  const count = async () => (await sql`select from products where seller_id = ${seller.id}`).length;
  const first = await open();
  expect(await Promise.all(Array.from({ length: 6 }, () => press(first)))).toEqual(Array(6).fill(302));
  expect(await count()).toBe(2);
  await press(await open());
  expect(await count()).toBe(3);
  // Another one of the same name, on the same page.
  const other = await makeProduct(seller, { checkoutSlug: "outro" });
  await press(first, other.id);
  expect(await count()).toBe(5);
});

test("a seller has at most five thousand products, made or copied", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await sql`insert into products (seller_id, name, price_cents) select ${seller.id}, 'Curso', 9700 from generate_series(2, 4999)`;
  await duplicateProduct(seller.id, product.id);
  const full = { kind: "conflict", message: expect.stringContaining("já tem 5.000 produtos") };
  await expect(duplicateProduct(seller.id, product.id)).rejects.toMatchObject(full);
  const fields = newProductBody.parse({ name: "Curso", price: 97, file_url: "https://exemplo.com/curso" });
  await expect(createProduct(seller.id, fields)).rejects.toMatchObject(full);
  await deleteProduct(seller.id, product.id);
  await createProduct(seller.id, fields);
});

test("copies and copies of copies made at once each get their own slug", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: "Corrida" });
  const made = await Promise.all([1, 2, 3].map(() => duplicateProduct(seller.id, product.id)));
  await duplicateProduct(seller.id, made[0]!.id);
  const rows =
    await sql`select checkout_slug from products where seller_id = ${seller.id} order by checkout_slug`;
  expect(rows.map((r) => r.checkout_slug)).toEqual([
    "Corrida",
    "Corrida-copia",
    "Corrida-copia-2",
    "Corrida-copia-3",
    "Corrida-copia-4",
  ]);
});

test("a copy of a product without a slug derives one from its name; a long name still fits", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { name: `É ${"x".repeat(198)}` });
  const copy = await duplicateProduct(seller.id, product.id);
  expect(copy.name).toHaveLength(200);
  expect((await findProduct(seller.id, copy.id)).checkoutSlug).toMatch(/^e-x{58}-copia$/);
  const nameless = await makeProduct(seller, { name: "🎸" });
  const second = await duplicateProduct(seller.id, nameless.id);
  expect((await findProduct(seller.id, second.id)).checkoutSlug).toBeNull();
});

test("the name of a copy, of an offer's, too, is cut between two characters", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { name: `A${"🎸".repeat(99)}` });
  expect((await duplicateProduct(seller.id, product.id)).name).toBe(`A${"🎸".repeat(95)} (cópia)`);
  const offer = await makeOffer(product, { name: `A${"🎸".repeat(49)}` });
  await duplicateOffer({ sellerId: seller.id, productId: product.id }, offer.id);
  const names = await sql`select name from offers where product_id = ${product.id}`;
  expect(names.map(({ name }) => name)).toContain(`A${"🎸".repeat(45)} (cópia)`);
});

test("another seller's product is not found and not copied", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  const theirs = await makeProduct(b);
  await expect(duplicateProduct(a.id, theirs.id)).rejects.toMatchObject({ kind: "not-found" });
  expect((await listProducts(a.id, { limit: 10 })).items).toEqual([]);
});

test("a copy of a much copied product gets an address at random", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: "cheia" });
  await makeProduct(seller, { checkoutSlug: "cheia-copia" });
  await sql`insert into products (seller_id, name, price_cents, checkout_slug)
    select ${seller.id}, 'Curso', 9700, 'cheia-copia-' || n from generate_series(2, 49) n`;
  const slugOf = async () => {
    const { id } = await duplicateProduct(seller.id, product.id);
    return (await findProduct(seller.id, id)).checkoutSlug;
  };
  expect(await slugOf()).toBe("cheia-copia-50");
  expect(await slugOf()).toMatch(/^cheia-[A-Za-z0-9]{10}$/);
});

test("a copy has the content of the product, its bumps and its upsells", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [bump, upsell] = [await makeBump(product), await makeUpsell(product)];
  for (const owner of [
    { kind: "product", id: product.id },
    { kind: "bump", id: bump.id },
    { kind: "offer", id: upsell.id },
  ] as const) {
    const item = { kind: "text", name: `Do ${owner.kind}`, html: "<p>Oi</p>" } as const;
    await addItem(seller.id, product.id, owner, item);
  }
  const { id } = await duplicateProduct(seller.id, product.id);
  const contents = await listContent(seller.id, id);
  expect(contents.map(({ items }) => items.map(({ name }) => name))).toEqual([
    ["Do product"],
    ["Do bump"],
    ["Do offer"],
  ]);
});
