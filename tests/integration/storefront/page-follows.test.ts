import { expect, test } from "vitest";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { saveStore } from "#app/domain/storefront/store/save-store.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 2, worker: 0, sandbox: false });

type Shop = Awaited<ReturnType<typeof openShop>>;

const NOTICE = "A PUSHIN PAY atua exclusivamente";
const switchGateway = (on: boolean) => (shop: Shop) =>
  saveGateways(shop.seller.id, gatewaysForm().parse({ pushinpay_enabled: on }));

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
        { seconds: 20, what: `the kept checkout to follow: ${what}` },
      );
  },
);
