import { expect, test } from "vitest";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import {
  productBody as changedBody,
  newProductBody,
  newProductForm,
} from "#app/domain/catalog/product-form.server.ts";
import { toOwnProductJson } from "#app/domain/catalog/product-json.server.ts";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { productBody } from "#tests/integration/catalog/make-products.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const create = (sellerId: string, fields: Record<string, unknown>) =>
  createProduct(sellerId, newProductBody.parse(productBody(fields)));
const update = (sellerId: string, id: number, fields: Record<string, unknown>) =>
  updateProduct(sellerId, id, changedBody.parse(productBody(fields)));

test("a product is created with its bumps and upsells in the order sent", async () => {
  const seller = await makeSeller();
  const id = await create(seller.id, {
    price: "1.234,56",
    original_price: "2.000,00",
    checkout_slug: "com-tudo",
    is_active: false,
    orderBumps: [
      { name: "B1", price: 10, file_url: "https://a.b/1" },
      { name: "B2", price: 20, is_active: false },
    ],
    upsells: [{ name: "O1", price: 30, benefits: "um\ndois", video_url: "https://v.exemplo/1" }],
  });
  const product = await findProduct(seller.id, id);
  expect(product).toMatchObject({ priceCents: 123456, originalPriceCents: 200000, checkoutSlug: "com-tudo" });
  expect(product.deactivatedAt).toBeInstanceOf(Date);
  expect(product.bumps.map((b) => [b.name, b.priceCents, b.deactivatedAt === null, b.fileUrl])).toEqual([
    ["B1", 1000, true, "https://a.b/1"],
    ["B2", 2000, false, null],
  ]);
  expect(product.upsells).toMatchObject([
    { name: "O1", benefits: ["um", "dois"], videoUrl: "https://v.exemplo/1" },
  ]);
});

test("a slug is unique across sellers, ignoring case, on creation and on change", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  await create(a.id, { checkout_slug: "Unico" });
  const slugConflict = { kind: "conflict", field: "checkout_slug" };
  await expect(create(b.id, { checkout_slug: "uNICO" })).rejects.toMatchObject(slugConflict);
  const other = await create(b.id, { checkout_slug: "outro" });
  await expect(update(b.id, other, { checkout_slug: "UNICO" })).rejects.toMatchObject(slugConflict);
  await update(b.id, other, { checkout_slug: "OUTRO" });
  expect((await findProduct(b.id, other)).checkoutSlug).toBe("OUTRO");
});

test("two products created at once with one slug leave one, and a friendly no", async () => {
  const seller = await makeSeller();
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => create(seller.id, { checkout_slug: "corrida" })),
  );
  expect(outcomes.map((o) => o.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a change updates, adds, removes and reorders bumps and upsells by id", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [first, second, third] = [
    await makeBump(product, { name: "Um", position: 0 }),
    await makeBump(product, { name: "Dois", position: 1 }),
    await makeBump(product, { name: "Três", position: 2 }),
  ];
  const upsell = await makeUpsell(product);
  const other = await makeProduct(seller);
  await makeBump(other, { name: "Do outro" });
  await makeUpsell(other, { name: "Também do outro" });
  await update(seller.id, product.id, {
    orderBumps: [
      { id: third.id, name: "Três", price: 3 },
      { name: "Novo", price: 4 },
      { id: first.id, name: "Um mudado", price: 1, description: null, file_url: null },
    ],
    upsells: [{ id: String(upsell.id), name: "Mentoria", price: "200,00", is_active: false }],
  });
  const saved = await findProduct(seller.id, product.id);
  expect(saved.bumps.map((b) => [b.name, b.priceCents])).toEqual([
    ["Três", 300],
    ["Novo", 400],
    ["Um mudado", 100],
  ]);
  expect(saved.bumps[0]!.id).toBe(third.id);
  expect(saved.bumps.some((b) => b.id === second.id)).toBe(false);
  expect(saved.upsells).toMatchObject([{ id: upsell.id, name: "Mentoria", priceCents: 20000 }]);
  expect(saved.upsells[0]!.deactivatedAt).toBeInstanceOf(Date);
  const untouched = await findProduct(seller.id, other.id);
  expect([untouched.bumps, untouched.upsells]).toMatchObject([
    [{ name: "Do outro" }],
    [{ name: "Também do outro" }],
  ]);
});

test("the same change twice leaves the same", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const bump = await makeBump(product);
  const change = { name: "Novo nome", orderBumps: [{ id: bump.id, name: "B", price: 5 }] };
  await update(seller.id, product.id, change);
  const once = await findProduct(seller.id, product.id);
  await update(seller.id, product.id, change);
  expect({ ...(await findProduct(seller.id, product.id)), updatedAt: null }).toEqual({
    ...once,
    updatedAt: null,
  });
});

test("lists that are not sent stay, and so does being active", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { deactivatedAt: new Date() });
  await makeBump(product);
  await makeUpsell(product);
  await update(seller.id, product.id, { name: "Outro" });
  const saved = await findProduct(seller.id, product.id);
  expect([saved.name, saved.bumps.length, saved.upsells.length]).toEqual(["Outro", 1, 1]);
  expect(saved.deactivatedAt).toEqual(product.deactivatedAt);
});

test.each(["another", "the same"])(
  "a bump or upsell of another product of %s seller is not found, and stays as it is",
  async (whose) => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const other = await makeProduct(whose === "another" ? await makeSeller() : seller);
    const [bump, upsell] = [await makeBump(other), await makeUpsell(other)];
    for (const lists of [
      { orderBumps: [{ id: bump.id, name: "Roubado", price: 1 }] },
      { upsells: [{ id: upsell.id, name: "Roubada", price: 1 }] },
    ])
      await expect(update(seller.id, product.id, { name: "X", ...lists })).rejects.toMatchObject({
        kind: "not-found",
      });
    expect((await findProduct(seller.id, product.id)).name).toBe(product.name);
    await update(seller.id, product.id, { orderBumps: [], upsells: [] });
    for (const [table, { id, name }] of Object.entries({ order_bumps: bump, upsells: upsell }))
      expect(await sql`select name, product_id from ${sql(table)} where id = ${id}`).toEqual([
        { name, product_id: String(other.id) },
      ]);
  },
);

test("one id twice in a list is refused", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const bump = await makeBump(product);
  const row = { id: bump.id, name: "B", price: 1 };
  await expect(update(seller.id, product.id, { orderBumps: [row, row] })).rejects.toMatchObject({
    kind: "not-found",
  });
});

test("another seller's, a deleted and an unknown product are not found", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  const theirs = await makeProduct(b);
  const gone = await makeProduct(a, { archivedAt: new Date() });
  for (const id of [theirs.id, gone.id, 999_999]) {
    await expect(findProduct(a.id, id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(update(a.id, id, { name: "Meu" })).rejects.toMatchObject({ kind: "not-found" });
    await expect(setProductActive(a.id, id, false)).rejects.toMatchObject({ kind: "not-found" });
  }
  expect((await findProduct(b.id, theirs.id)).name).toBe(theirs.name);
  expect((await findProduct(b.id, theirs.id)).deactivatedAt).toBeNull();
});

test("a product goes off and on sale, and off again keeps the first time", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await setProductActive(seller.id, product.id, false);
  const off = (await findProduct(seller.id, product.id)).deactivatedAt;
  await setProductActive(seller.id, product.id, false);
  expect((await findProduct(seller.id, product.id)).deactivatedAt).toEqual(off);
  await setProductActive(seller.id, product.id, true);
  expect((await findProduct(seller.id, product.id)).deactivatedAt).toBeNull();
});

test("every process is notified of a changed product after the commit", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const notified: string[] = [];
  const { unlisten } = await sql.listen("storefront", (payload) => void notified.push(payload));
  await update(seller.id, product.id, { name: "Outro" });
  await setProductActive(seller.id, product.id, false);
  await expect(update(seller.id, 999_999, {})).rejects.toThrow();
  await until(() => notified.length >= 2);
  expect(notified).toEqual([String(product.id), String(product.id)]);
  await unlisten();
});

test("a save costs the same number of statements for 2 and for 20 bumps and upsells", async () => {
  const seller = await makeSeller();
  // The lock of the seller, their products, and the row.
  expect((await countStatements(() => create(seller.id, {}))).count).toBe(3);
  const counts: number[] = [];
  for (const rows of [2, 20]) {
    const list = Array.from({ length: rows }, (_, i) => ({ name: `B${i}`, price: 1 }));
    const id = await create(seller.id, { orderBumps: list, upsells: list });
    const { bumps, upsells } = await findProduct(seller.id, id);
    const [orderBumps, others] = [bumps, upsells].map((all) =>
      all.slice(1).map((row) => ({ id: row.id, name: "X", price: 2 })),
    );
    const save = () => countStatements(() => update(seller.id, id, { orderBumps, upsells: others }));
    counts.push((await save()).count);
    // The second time there is no bump and no upsell to remove.
    expect((await save()).count).toBe(counts.at(-1)! - 2);
  }
  expect(counts[0]).toBe(counts[1]);
  expect(counts[1]).toBeLessThanOrEqual(9);
});

test("a new product without a link waits off sale for its content, and goes on sale with any", async () => {
  const seller = await makeSeller();
  const fields = newProductForm.parse({ name: "Curso", price: "97", is_active: "on" });
  const id = await createProduct(seller.id, fields);
  expect((await findProduct(seller.id, id)).deactivatedAt).not.toBeNull();
  const lacks = { kind: "invalid", field: "file_url" };
  await expect(setProductActive(seller.id, id, true)).rejects.toMatchObject(lacks);
  await expect(updateProduct(seller.id, id, fields)).rejects.toMatchObject(lacks);
  expect((await findProduct(seller.id, id)).deactivatedAt).not.toBeNull();
  await updateProduct(seller.id, id, { ...fields, name: "Curso novo", active: false });
  const item = { name: "Comece", kind: "text", html: "<p>Oi</p>" } as const;
  await addItem(seller.id, id, { kind: "product", id }, item);
  await setProductActive(seller.id, id, true);
  expect(await findProduct(seller.id, id)).toMatchObject({ name: "Curso novo", deactivatedAt: null });
});

test("a picture on our host that is not the seller's is refused, at its field", async () => {
  const seller = await makeSeller();
  const path = `/pictures/${"a".repeat(32)}/product-600x600.jpg`;
  const image_url = new URL(path, process.env.APP_URL).href;
  const refused = { kind: "invalid", field: "image_url" };
  await expect(create(seller.id, { image_url })).rejects.toMatchObject(refused);
  const product = await makeProduct(seller);
  await expect(update(seller.id, product.id, { image_url })).rejects.toMatchObject(refused);
  const orderBumps = [{ name: "B", price: 1, image_url }];
  await expect(update(seller.id, product.id, { orderBumps })).rejects.toMatchObject({
    ...refused,
    field: "orderBumps[0].image_url",
  });
});

test("a picture on our host is refused as a link, unless the product has it already", async () => {
  const seller = await makeSeller();
  const [saved, other] = ["a", "b"].map(
    (digit) => new URL(`/pictures/${digit.repeat(32)}/product-600x600.jpg`, process.env.APP_URL).href,
  ) as [string, string];
  await expect(create(seller.id, { redirect_url: saved })).rejects.toMatchObject({
    ...{ kind: "invalid", field: "redirect_url" },
    message: expect.stringContaining("envie-a em Conteúdo"),
  });
  const product = await makeProduct(seller, { fileUrl: saved, redirectUrl: saved });
  await makeBump(product, { fileUrl: saved });
  await makeUpsell(product, { fileUrl: saved, videoUrl: saved });
  const read = async () => toOwnProductJson(await findProduct(seller.id, product.id));
  const before = await read();
  await update(seller.id, product.id, { ...before, name: "Novo nome" });
  const { name, version, ...links } = await read();
  expect(name).toBe("Novo nome");
  expect(before).toMatchObject(links);
  for (const [field, row] of [
    ["orderBumps[0].file_url", { orderBumps: [{ ...before.orderBumps[0], file_url: other }] }],
    ["upsells[0].video_url", { upsells: [{ ...before.upsells[0], video_url: other }] }],
  ] as const)
    await expect(update(seller.id, product.id, { ...before, ...row })).rejects.toMatchObject({
      ...{ kind: "invalid", field },
    });
});
