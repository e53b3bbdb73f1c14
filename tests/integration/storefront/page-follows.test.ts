import { expect, test } from "vitest";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { saveStore } from "#app/domain/storefront/store/save-store.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeOffer } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 2, worker: 0, sandbox: false });

type Shop = Awaited<ReturnType<typeof openShop>>;

const NOTICE = "A PUSHIN PAY atua exclusivamente";
const switchGateway = (on: boolean) => (shop: Shop) =>
  saveGateways(shop.seller.id, gatewaysForm().parse({ pushinpay_enabled: on }));

const renameCompany = ({ seller }: Shop) =>
  saveProfile(seller.id, { name: seller.name, company: "Vera Artes", phone: null, email: seller.email });

const STORE = {
  ...{ legal_name: "Ateliê da Vera Cursos Ltda.", tax_id: "11222333000181", email: "atelie@exemplo.com.br" },
  ...{ street: "Rua das Flores", number: "10", complement: null, district: "Centro" },
  ...{ city: "Campinas", state: "SP" as const, postal_code: "13010000", phone: null },
};

/** A seller's action, and texts of the checkout that appear or disappear. */
const CHANGES: [what: string, change: (shop: Shop) => Promise<unknown>, comes: string[], goes: string[]][] = [
  ["the gateway is switched off", switchGateway(false), [], [NOTICE]],
  ["the gateway is switched on", switchGateway(true), [NOTICE], []],
  [
    "the product is taken off sale",
    ({ seller, product }) => setProductActive(seller.id, product.id, false),
    [],
    [NOTICE],
  ],
  [
    "the page is dressed anew",
    ({ seller }) => makeCheckoutSettings(seller, { brand_name: "Loja Nova" }),
    ["Loja Nova"],
    [],
  ],
  ["the seller says who they are", ({ seller }) => saveStore(seller.id, STORE), ["Ateliê da Vera"], []],
  ["the seller's company has another name", renameCompany, ["Vera Artes"], []],
];

test.each(CHANGES)(
  "after %s a cached checkout shows it, in every process",
  async (what, change, comes, goes) => {
    const shop = await openShop();
    if (what === "the gateway is switched on") await switchGateway(false)(shop);
    const pageAt = async (web: { url: string }) =>
      (await fetch(`${web.url}/checkout/${shop.product.id}`)).text();
    for (const web of app.web) {
      const text = await pageAt(web);
      expect(await pageAt(web), "the page, asked for once more").toBe(text);
      for (const words of comes) expect(text).not.toContain(words);
      for (const words of goes) expect(text).toContain(words);
    }
    await change(shop);
    for (const web of app.web)
      await until(
        async () => {
          const text = await pageAt(web);
          return comes.every((words) => text.includes(words)) && !goes.some((words) => text.includes(words));
        },
        { what: `the kept checkout to follow: ${what}` },
      );
  },
);

/** A seller's action, and a part of the product's JSON that it changes. */
const JSON_CHANGES: [what: string, change: (shop: Shop) => Promise<unknown>, shows: object][] = [
  [
    "the product is taken off sale",
    ({ seller, product }) => setProductActive(seller.id, product.id, false),
    { message: "Produto não encontrado" },
  ],
  ["the seller's company has another name", renameCompany, { product: { seller_name: "Vera Artes" } }],
  [
    "an offer begins by itself",
    ({ product }) =>
      makeOffer(product, { kind: "tier", priceCents: 4700, startsAt: new Date(Date.now() + 2000) }),
    { product: { price: 47 } },
  ],
];

test.each(JSON_CHANGES)(
  "after %s a cached product JSON shows it, in every process",
  async (_, change, shows) => {
    const shop = await openShop();
    const read = async ({ url }: { url: string }) => {
      const answer = await fetch(`${url}/api/checkout/products/${shop.product.id}`);
      return { etag: answer.headers.get("etag"), body: await answer.json() };
    };
    for (const web of app.web) expect((await read(web)).body).not.toMatchObject(shows);
    await change(shop);
    await sql`select pg_notify('storefront', ${String(shop.product.id)})`;
    for (const web of app.web)
      await until(async () => {
        expect((await read(web)).body).toMatchObject(shows);
        return true;
      });
  },
);

test("the product JSON is read from the database once, and a client that has it gets 304", async () => {
  const { product } = await openShop();
  const url = `${app.url}/api/checkout/products/${product.id}`;
  const { headers } = await fetch(url);
  // Notifies nobody, so that only a new reading would show it.
  await sql`update products set name = 'Outro nome' where id = ${product.id}`;
  const again = await fetch(url);
  expect(await again.text()).not.toContain("Outro nome");
  expect(again.headers.get("content-type")).toContain("application/json");
  const { slug } = await makeOffer(product);
  const bySlug = await (await fetch(`${app.url}/api/checkout/products/s/${slug}`)).text();
  expect(bySlug).toContain("Outro nome");
  await sql`update products set name = 'Mais um nome' where id = ${product.id}`;
  const inCapitals = await fetch(`${app.url}/api/checkout/products/s/${slug.toUpperCase()}`);
  expect(await inCapitals.text(), "an address that differs in its case alone").toBe(bySlug);
  const known = await fetch(url, { headers: { "If-None-Match": headers.get("etag")! } });
  expect(known.status).toBe(304);
});
