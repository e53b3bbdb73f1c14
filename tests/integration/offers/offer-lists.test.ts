import { expect, test } from "vitest";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { deleteOffer, moveOffer } from "#app/domain/offer/arrange-offers.server.ts";
import { newOfferBody, type OfferFields } from "#app/domain/offer/offer-form.server.ts";
import { createOffer, setOfferActive, updateOffer } from "#app/domain/offer/save-offer.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as many from "#app/routes/api/offers/offers.ts";
import * as one from "#app/routes/api/offers/one.ts";
import * as list from "#app/routes/seller/offers/offers.tsx";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeBump, makeOffer, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { call, refused } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

const fields = (more: object = {}): OfferFields =>
  newOfferBody.parse({ name: "Primeiro lote", price: 47, ...more });

test("the API answers what was sent, and states and units as they are", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const headers = await signedIn(seller);
  const [bump, upsell] = [await makeBump(product), await makeUpsell(product)];
  const sent = {
    name: "Pacote",
    kind: "listed",
    price: 80.5,
    original_price: 97,
    slug: `pacote-${product.id}`,
    bump_ids: [bump.id],
    upsell_ids: [upsell.id],
    content_item_ids: null,
    starts_at: "2026-01-01T00:00:00-03:00",
    ends_at: "2099-01-01T00:00:00Z",
    max_units: 10,
    max_units_per_buyer: 5,
    min_quantity: 2,
    max_quantity: 5,
  };
  const at = { headers, params: { productId: String(product.id) } };
  const made = await call(many, "/api/products/x/offers", { ...at, method: "POST", body: sent });
  const created = await made.json();
  expect([made.status, created]).toEqual([
    201,
    {
      ...sent,
      id: expect.any(String),
      product_id: product.id,
      starts_at: "2026-01-01T03:00:00.000Z",
      ends_at: "2099-01-01T00:00:00.000Z",
      is_active: true,
      created_at: expect.any(String),
      checkout_url: expect.stringMatching(new RegExp(`^https?://.*/checkout/s/pacote-${product.id}$`)),
      state: "active",
      units: 0,
      version: expect.any(String),
    },
  ]);
  const atOne = { headers, params: { ...at.params, offerId: created.id } };
  expect(await (await call(one, "/api/products/x/offers/y", atOne)).json()).toEqual(created);
  await sql`update offers set units = 9 where id = ${created.id}`;
  expect(await (await call(many, "/api/products/x/offers", at)).json()).toEqual([
    { ...created, state: "sold_out", units: 9 },
  ]);
  const put = { ...atOne, method: "PUT", body: { name: "Fim", price: 10, is_active: false } };
  expect(await (await call(one, "/api/products/x/offers/y", put)).json()).toMatchObject({
    name: "Fim",
    kind: "listed",
    price: 10,
    slug: sent.slug,
    bump_ids: null,
    max_units: null,
    max_quantity: 1,
    state: "paused",
    units: 9,
  });
  const { slug } = await makeOffer(product);
  const taken = await call(one, "/api/products/x/offers/y", { ...put, body: { name: "X", price: 5, slug } });
  expect([taken.status, await taken.json()]).toEqual([
    409,
    refused("Este endereço de checkout já está em uso. Escolha outro.", { field: "slug" }),
  ]);
  const gone = await call(one, "/api/products/x/offers/y", { ...atOne, method: "DELETE" });
  expect(gone.status).toBe(200);
  expect((await call(one, "/api/products/x/offers/y", atOne)).status).toBe(404);
});

test("a PUT without kind leaves the offer where it is shown", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const offer = await makeOffer(product, { kind: "tier" });
  const at = {
    headers: await signedIn(seller),
    params: { productId: String(product.id), offerId: offer.id },
    method: "PUT",
  };
  const put = async (body: object) =>
    (await (await call(one, "/api/products/x/offers/y", { ...at, body })).json()) as { kind: string };
  expect(await put({ name: "Lote", price: 52 })).toMatchObject({ kind: "tier", price: 52 });
  expect(await put({ name: "Lote", price: 52, kind: "listed" })).toMatchObject({ kind: "listed" });
});

test("a PUT without content_item_ids leaves what buyers get as it is; null gives them everything", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [item] = await sql<{ id: string }[]>`with c as (
      insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id)
    insert into content_items (seller_id, content_id, kind, name, html) select ${seller.id}, id, 'text', 'Aula', '<p>1</p>' from c
    returning id`;
  const offer = await makeOffer(product, { contentItemIds: [item!.id] });
  const params = { productId: String(product.id), offerId: offer.id };
  const put = async (body: object) => {
    const headers = await signedIn(seller);
    const answer = await call(one, "/api/products/x/offers/y", { method: "PUT", headers, params, body });
    return ((await answer.json()) as { content_item_ids: string[] | null }).content_item_ids;
  };
  expect(await put({ name: "Fim", price: 10 })).toEqual([item!.id]);
  expect(await put({ name: "Fim", price: 10, content_item_ids: null })).toBeNull();
});

test("a form of Duplicar that is sent again makes one copy, and a page opened since makes another", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const { id } = await makeOffer(product, { name: "Primeiro lote" });
  const at = { headers: await signedIn(seller), params: { productId: String(product.id) } };
  const path = `/products/${product.id}/offers`;
  const open = async () => String((await (await call(list, path, at)).json()).offers[0].openedAt);
  const press = async (openedAt: string) => {
    const body = new URLSearchParams({ intent: "duplicate", id, at: openedAt });
    return (await call(list, path, { ...at, method: "POST", body })).status;
  };
  const count = async () => (await sql`select from offers where product_id = ${product.id}`).length;
  const first = await open();
  expect(await Promise.all([press(first), press(first), press(first)])).toEqual([302, 302, 302]);
  expect(await count()).toBe(2);
  await press(await open());
  expect(await count()).toBe(3);
});

test("the list takes one statement beside the session's, whatever is on it", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const at = { headers: await signedIn(seller), params: { productId: String(product.id) } };
  const open = async () => countStatements(() => call(list, `/products/${product.id}/offers`, at));
  const few = await open();
  for (let n = 0; n < 6; n++)
    await makeOffer(product, {
      name: `Lote ${n}`,
      kind: n > 2 ? "tier" : "listed",
      position: 9 - n,
      maxUnits: 50,
    });
  const full = await open();
  expect(few.statements.filter((text) => /from "(offers|products)"/.test(text))).toHaveLength(1);
  expect(full.count).toBe(few.count);
  expect((await few.result.json()).charged).toEqual({ price: "R$ 97,00", tier: null });
  const { offers, charged } = await full.result.json();
  expect(offers.map(({ name }: { name: string }) => name)).toEqual(
    [5, 4, 3, 2, 1, 0].map((n) => `Lote ${n}`),
  );
  expect(charged).toEqual({ price: "R$ 47,00", tier: "Lote 5" });
  expect(offers[0]).toMatchObject({
    kind: "Lote",
    sold: "Vendidas ou reservadas: 0 de 50",
    period: "Sem prazo",
  });
});

const app = await startApp({ worker: 0 });

/** In every process: `offer-pages`. */
test("a change shows on the cached checkout", async () => {
  const { seller, product } = await openShop();
  const owner = { sellerId: seller.id, productId: product.id };
  const shows = async (text: string) =>
    until(
      async () => {
        const page = await (await app.fetch(`/checkout/${product.id}`)).text();
        return page.replaceAll("\u00a0", " ").includes(text);
      },
      { what: `the page to show: ${text}` },
    );
  await shows("R$ 97,00");
  const first = await createOffer(owner, fields({ kind: "tier" }));
  await shows("R$ 47,00");
  const second = await createOffer(owner, fields({ kind: "tier", price: 67 }));
  await moveOffer(owner, second, "up");
  await shows("R$ 67,00");
  await setOfferActive(owner, second, false);
  await shows("R$ 47,00");
  await updateOffer(owner, first, fields({ kind: "tier", price: 57 }));
  await shows("R$ 57,00");
  await deleteOffer(owner, first);
  await shows("R$ 97,00");
});

test("the offers of an inactive product are shown with links that do not open, and no price that is charged now", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeOffer(product);
  const open = async () =>
    (await app.fetch(`/products/${product.id}/offers`, { headers: await signedIn(seller) })).text();
  expect(await open()).toContain("O link do produto cobra agora");
  await sql`update products set deactivated_at = now() where id = ${product.id}`;
  const page = await open();
  expect(page).not.toContain("cobra agora");
  expect(page).toContain("só abrem depois que você o ativar");
});

test("the form of an offer says whose content it changes: also that of who bought by it", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await addItem(
    seller.id,
    product.id,
    { kind: "product", id: product.id },
    { kind: "text", name: "Aula", html: "Olá" },
  );
  const offer = await makeOffer(product);
  const page = await app.fetch(paths.offer(product.id, offer.id), { headers: await signedIn(seller) });
  expect(await page.text()).toContain("e também quem já comprou por ela");
});
