import { expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";
import * as card from "#app/routes/buyer/card.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { cardShop } from "#tests/integration/cards/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";

type Made = Parameters<typeof makeSale>[1];

/** An order whose PIX a webhook has announced as paid, which is not confirmed yet. */
async function announced(sale: Made = {}, charge: Parameters<typeof makeCharge>[1] = {}) {
  const { product } = await cardShop();
  const made = await makeSale(product, sale);
  const { id, provider, providerId, sellerId } = await makeCharge(made, charge);
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    values (${provider}, ${id}, ${sellerId}, ${id}, ${providerId}, 'paid', 'paid')`;
  return made.id;
}

/** What a page shows, without its styles. */
async function show(route: RouteModule, path: string, saleId: string) {
  const page = await call(route, path, { params: { saleId } });
  return (await page.text()).replace(/<style.*?<\/style>/gs, "");
}

test("the card page of an order whose PIX was announced does not say that a card was sent", async () => {
  const saleId = await announced();
  const html = await show(card, paths.card(saleId), saleId);
  expect(html).toContain("Recebemos o aviso do seu pagamento e estamos confirmando com o banco.");
  expect(html).not.toContain("Enviamos o seu cartão");
});

test.each(["failed", "cancelled"] as const)(
  "the page of a %s order whose late payment was announced changes by itself, as it promises",
  async (status) => {
    const saleId = await announced({ status }, { status: "expired" });
    const html = await show(thankYou, paths.thankYou(saleId), saleId);
    expect(html).toContain("esta página muda sozinha");
    expect(html).toContain('http-equiv="refresh"');
    expect(html).toContain("<payment-watch");
  },
);

test.each(["failed", "cancelled"] as const)("the page of a %s order waits for nothing", async (status) => {
  const { product } = await cardShop();
  const { id } = await makeSale(product, { status });
  const html = await show(thankYou, paths.thankYou(id), id);
  expect(html).not.toContain('http-equiv="refresh"');
  expect(html).not.toContain("<payment-watch");
});
