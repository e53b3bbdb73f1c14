import { expect, test } from "vitest";
import * as duplicate from "#app/routes/api/products/duplicate.ts";
import * as one from "#app/routes/api/products/one.ts";
import * as bumps from "#app/routes/api/products/order-bumps.ts";
import * as many from "#app/routes/api/products/products.ts";
import * as upsells from "#app/routes/api/products/upsells.ts";
import * as stats from "#app/routes/api/reports/dashboard.ts";
import { makeManyProducts, productBody } from "#tests/integration/catalog/make-products.ts";
import { makeBump, makeProduct, makeSale, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { call, refused } from "#tests/support/routes/call.ts";

async function dashboard() {
  const seller = await makeSeller();
  return { seller, headers: await signedIn(seller) };
}
const at = (id: number | string) => ({ params: { productId: String(id) } });

test("a product is sent and returned with the published names, BRL numbers and ISO dates", async () => {
  const { headers } = await dashboard();
  const body = {
    name: "Curso",
    description: "Linha 1\nLinha 2",
    price: 1234.56,
    original_price: 2000,
    discount_percentage: 38,
    image_url: "https://a.b/i.png",
    file_url: "https://a.b/f.pdf",
    redirect_url: "https://a.b/membros",
    is_active: true,
    promotion_text: "Só hoje",
    urgency_text: "Últimas vagas",
    banner_image_url: "https://a.b/b.png",
    banner_link_url: "https://a.b",
    checkout_slug: "curso-api",
  };
  const bump = {
    name: "Apostila",
    description: null,
    price: 19.9,
    original_price: null,
    discount_percentage: null,
    promotion_text: null,
    urgency_text: null,
    image_url: null,
    file_url: "https://a.b/apostila.pdf",
    is_active: false,
  };
  const upsell = {
    name: "Mentoria",
    price: 300,
    benefits: ["Ao vivo"],
    video_url: "https://a.b/v",
    file_url: "https://a.b/mentoria.pdf",
    is_active: false,
  };
  const made = await call(many, "/api/products", {
    method: "POST",
    headers,
    body: { ...body, orderBumps: [bump], upsells: [upsell] },
  });
  expect(made.status).toBe(201);
  const created = await made.json();
  expect(created).toMatchObject({ ...body, orderBumps: [bump], upsells: [upsell] });
  expect(created.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  const read = await call(one, "/api/products/1", { headers, ...at(created.id) });
  expect(await read.json()).toEqual(created);
  const list = await (
    await call(bumps, "/api/products/1/order-bumps", { headers, ...at(created.id) })
  ).json();
  expect(list).toEqual(created.orderBumps);
  const changed = await call(one, "/api/products/1", {
    method: "PUT",
    headers,
    ...at(created.id),
    body: { ...created, price: "20,00", is_active: 0, orderBumps: [{ ...list[0], price: 5 }] },
  });
  expect(changed.status).toBe(200);
  expect(await changed.json()).toMatchObject({
    price: 20,
    is_active: false,
    orderBumps: [{ id: list[0].id, price: 5 }],
  });
});

test("bumps and upsells keep their state where is_active is not sent; new ones are active", async () => {
  const { seller, headers } = await dashboard();
  const product = await makeProduct(seller);
  const paused = { deactivatedAt: new Date() };
  const [pausedBump, activeBump] = [await makeBump(product, paused), await makeBump(product)];
  const [pausedUpsell, activeUpsell] = [await makeUpsell(product, paused), await makeUpsell(product)];
  const row = (id?: number) => ({ ...(id ? { id } : {}), name: "Apostila", price: 25 });
  const body = {
    ...productBody(),
    orderBumps: [row(pausedBump.id), row(activeBump.id), row()],
    upsells: [row(pausedUpsell.id), row(activeUpsell.id), row()],
  };
  const saved = await (await call(one, "/", { ...at(product.id), method: "PUT", headers, body })).json();
  for (const rows of [saved.orderBumps, saved.upsells])
    expect(rows.map((saved: { is_active: boolean }) => saved.is_active)).toEqual([false, true, true]);
});

test("the list has the published fields, newest first, and links to the rest", async () => {
  const { seller, headers } = await dashboard();
  await makeManyProducts(seller, 5);
  const first = await call(many, "/api/products?limit=3", { headers });
  const items = await first.json();
  expect(Object.keys(items[0]).sort()).toEqual(
    ["checkout_slug", "created_at", "description", "id", "image_url", "is_active", "name", "price"].sort(),
  );
  expect(items.map((p: { name: string }) => p.name)).toEqual(["Produto 5", "Produto 4", "Produto 3"]);
  const next = /^<(.+)>; rel="next"$/.exec(first.headers.get("link")!)![1]!;
  const rest = await call(many, next, { headers });
  expect((await rest.json()).map((p: { name: string }) => p.name)).toEqual(["Produto 2", "Produto 1"]);
  expect(rest.headers.get("link")).toMatch(/^<[^>]+after=[^>]+>; rel="prev"$/);
});

test("mistakes answer 400 with the catalogue's sentence and the field", async () => {
  const { headers } = await dashboard();
  const post = async (body: unknown) => {
    const answer = await call(many, "/api/products", { method: "POST", headers, body });
    return [answer.status, await answer.json()];
  };
  const whole = refused("Nome, preço e link do arquivo são obrigatórios");
  expect(await post({ name: "Só nome" })).toEqual([400, whole]);
  expect(await post({})).toEqual([400, whole]);
  expect(await post(productBody({ price: 0.49 }))).toEqual([
    400,
    refused("Preço deve ser 0 (grátis) ou de pelo menos R$ 0,50", { field: "price" }),
  ]);
  expect(await post(productBody({ checkout_slug: "tomado" }))).toMatchObject([201, {}]);
  expect(await post(productBody({ checkout_slug: "TOMADO" }))).toEqual([
    409,
    refused("Este endereço de checkout já está em uso. Escolha outro.", { field: "checkout_slug" }),
  ]);
});

test("a mistake in a row of a list is told at its field, by one name whatever finds it", async () => {
  const { headers } = await dashboard();
  const fieldOf = async (bump: object) => {
    const orderBumps = [
      { name: "Apostila", price: 19.9 },
      { name: "Cifras", price: 19.9, ...bump },
    ];
    const body = productBody({ orderBumps });
    const answer = await call(many, "/api/products", { method: "POST", headers, body });
    return [answer.status, (await answer.json()).field];
  };
  const foreign = `${process.env.APP_URL}/pictures/${"ab".repeat(16)}/product-600x600.jpg`;
  expect(await fieldOf({ price: 0.1 })).toEqual([400, "orderBumps[1].price"]);
  expect(await fieldOf({ image_url: foreign })).toEqual([400, "orderBumps[1].image_url"]);
});

test("a duplicate comes back whole, and deleting answers once", async () => {
  const { seller, headers } = await dashboard();
  const product = await makeProduct(seller);
  await makeBump(product);
  const copied = await call(duplicate, "/d", { method: "POST", headers, ...at(product.id), body: {} });
  expect(copied.status).toBe(201);
  expect(await copied.json()).toMatchObject({
    name: "Curso de Violão (cópia)",
    is_active: false,
    orderBumps: [{ name: "Apostila de cifras" }],
  });
  const erase = () => call(one, "/p", { method: "DELETE", headers, ...at(product.id) });
  expect((await erase()).status).toBe(200);
  const again = await erase();
  expect([again.status, await again.json()]).toEqual([404, refused("Produto não encontrado")]);
});

test("anybody gets the active upsells of a product for sale in order, without the file address", async () => {
  const { seller } = await dashboard();
  const product = await makeProduct(seller);
  await makeUpsell(product, {
    name: "Depois",
    position: 1,
    fileUrl: "https://a.b/segredo",
    benefits: ["um"],
  });
  await makeUpsell(product, { name: "Antes", position: 0, videoUrl: "https://v.b/1" });
  await makeUpsell(product, { name: "Parada", deactivatedAt: new Date() });
  await makeUpsell(await makeProduct(seller), { name: "De outro produto" });
  const answer = await call(upsells, "/u", at(product.id));
  const text = await answer.text();
  expect(text).not.toContain("segredo");
  expect(JSON.parse(text)).toMatchObject([
    { name: "Antes", price: 197, video_url: "https://v.b/1", benefits: [] },
    { name: "Depois", benefits: ["um"] },
  ]);
  const now = new Date();
  const gone = await makeProduct(seller, { archivedAt: now });
  const draft = await makeProduct(seller, { deactivatedAt: now });
  const ofClosedShop = await makeProduct(await makeSeller({ closedAt: now }));
  for (const hidden of [draft, ofClosedShop]) await makeUpsell(hidden);
  for (const id of [gone.id, draft.id, ofClosedShop.id, 999_999, "abc", "1e3"])
    expect((await call(upsells, "/u", at(id))).status, String(id)).toBe(404);
});

test("the dashboard's numbers are BRL", async () => {
  const { seller, headers } = await dashboard();
  const product = await makeProduct(seller, { priceCents: 1990 });
  await makeSale(product, { status: "completed" });
  await makeSale(product, { status: "completed" });
  const sold = { count: 2, total: 39.8 };
  const answer = await call(stats, "/api/dashboard/stats", { headers });
  expect(await answer.json()).toEqual({ today: sold, sevenDays: sold, thirtyDays: sold });
});

test("strangers get 401, other sites 403, other methods 405", async () => {
  const { headers } = await dashboard();
  expect((await call(many, "/api/products")).status).toBe(401);
  expect((await call(many, "/api/products", { method: "POST", body: productBody() })).status).toBe(401);
  expect((await call(stats, "/api/dashboard/stats")).status).toBe(401);
  const elsewhere = { ...headers, "Sec-Fetch-Site": "cross-site" };
  expect((await call(many, "/p", { method: "POST", headers: elsewhere, body: productBody() })).status).toBe(
    403,
  );
  expect((await call(many, "/p", { method: "PATCH", headers, body: {} })).status).toBe(405);
});
