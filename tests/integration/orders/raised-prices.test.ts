import { beforeAll, expect, test } from "vitest";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { formatSeenPrices, parseSeenTotal } from "#app/domain/pricing/quote.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSale, makeUpsell } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
let buyers = 0;

beforeAll(async () => {
  shop = await openShop();
});

function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

test("the prices shown on a page are read back as the total of the selection", () => {
  const seen = formatSeenPrices({
    priceCents: 9700,
    bumps: [
      { id: 12, priceCents: 1990 },
      { id: 13, priceCents: 990 },
    ],
  });
  expect(parseSeenTotal(seen, [])).toBe(9700);
  expect(parseSeenTotal(seen, [13, 12, 12])).toBe(12680);
  expect(parseSeenTotal(seen, [14])).toBe(9700);
  for (const rubbish of ["", "97,00", "9700 12", "9700  12:1", "-1", "1".repeat(40)])
    expect(parseSeenTotal(rubbish, [12])).toBeNull();
});

test("an order above the total its buyer saw is refused; one at or below it is placed at the current price", async () => {
  const send = (seenCents: number | null) =>
    placeSale(order(shop.product.id, { ...someone(), bumpIds: [shop.bump.id], seenCents }));
  await expect(send(11_689)).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("agora o total é R$ 116,90 (antes, R$ 116,89)"),
  });
  for (const seen of [11_690, 20_000, null]) {
    const { saleId } = await send(seen);
    expect((await sql`select amount_cents from sales where id = ${saleId}`)[0]!.amount_cents).toBe(11_690);
  }
});

test("an upsell whose price rose after it was shown is not accepted silently", async () => {
  const upsell = await makeUpsell(shop.product);
  const parent = await makeSale(shop.product, { status: "completed" });
  await startNextUpsell({ sellerId: parent.sellerId, saleId: parent.id, productId: shop.product.id });
  await sql`update upsells set price_cents = price_cents + 100 where id = ${upsell.id}`;
  const accept = (seenCents: number) =>
    acceptUpsell({
      ...ANY_TERMS,
      saleId: parent.id,
      upsellId: upsell.id,
      seenCents,
      buyerContext: { client: "bia" },
    });
  await expect(accept(upsell.priceCents)).rejects.toMatchObject({ kind: "conflict" });
  await expect(accept(upsell.priceCents + 100)).resolves.toMatchObject({ saleId: expect.any(String) });
});

test("an order bump with an original price below its price saves nothing, with a script and without", async () => {
  const product = await makeProduct(shop.seller);
  const bump = await makeBump(product, { priceCents: 1990, originalPriceCents: 500 });
  const params = { productId: String(product.id) };
  const answer = await call(checkout, `/checkout/${product.id}?bump=${bump.id}`, { params });
  const html = await answer.text();
  expect(html).toContain('data-price="1990" data-original="1990"');
  expect(html).toMatch(/<s data-was="" hidden="">R\$ 116,90</);
});
