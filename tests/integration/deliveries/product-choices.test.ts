import { expect, test } from "vitest";
import { MAX_PRODUCTS } from "#app/domain/delivery/form-card.ts";
import * as page from "#app/routes/seller/settings/destinations/destination.tsx";
import * as newPage from "#app/routes/seller/settings/destinations/new.tsx";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ worker: 0 });

type Loaded = {
  codes: unknown[];
  choices: { products: { id: string; name: string }[]; items: unknown[]; search?: object };
  values: { scope: string; products: string[] };
};

test("a form offers its chosen products and the first others, and finds the rest by their name", async () => {
  const seller = await makeSeller();
  const chosen = await makeProduct(seller, { name: "Zabumba" });
  await makeProduct(seller, { name: "Último café" });
  await makeProduct(await makeSeller(), { name: "Café alheio" });
  await sql`insert into products (seller_id, name, price_cents)
    select ${seller.id}, 'Produto ' || n, 9700 from generate_series(1, ${MAX_PRODUCTS}) n`;
  const id = await makeWebhook(seller, { name: "CRM", productIds: [chosen.id] });
  const headers = await signedIn(seller);
  const load = async (query: string) => {
    const options = { params: { webhookId: id }, headers };
    return (await (await call(page, `/settings/webhooks/${id}?${query}`, options)).json()) as Loaded;
  };
  const first = await load("tab=configuracao");
  expect(first.choices.products).toHaveLength(MAX_PRODUCTS + 1);
  expect(first.choices.products[0]).toEqual({ id: String(chosen.id), name: "Zabumba" });
  expect(first.choices.search).toEqual({ text: "", isMore: true });
  expect([first.codes, first.choices.items]).toEqual([[], []]);
  const found = await load("tab=configuracao&produto=cafe");
  expect(found.choices.products.map(({ name }) => name)).toEqual(["Zabumba", "Último café"]);
  expect(found.choices.search).toEqual({ text: "cafe", isMore: false });
  const long = await load(`tab=configuracao&produto=${"x".repeat(101)}`);
  expect(long.choices.search).toMatchObject({ text: "x".repeat(100) });
  expect((await load("tab=receber")).codes).toHaveLength(MAX_PRODUCTS + 2);
  const fresh = await call(newPage, "/settings/webhooks/new?produto=cafe", { headers });
  const { kind } = (await fresh.json()) as { kind: Loaded };
  expect(kind.choices.products.map(({ name }) => name)).toEqual(["Último café"]);
  // Else what was found would be hidden.
  expect(kind.values.scope).toBe("some");
  for (const [path, says] of [
    ["/settings/webhooks/new", "Busque antes de preencher"],
    [`/settings/webhooks/${id}?tab=configuracao`, "Salve antes de buscar"],
  ] as const)
    expect(await (await app.fetch(path, { headers })).text()).toContain(says);
  await sql`delete from products where seller_id = ${seller.id} and name like 'Produto %'`;
  expect((await load("tab=configuracao")).choices.search).toBeUndefined();
});
