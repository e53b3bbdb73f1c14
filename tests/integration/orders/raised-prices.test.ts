import { beforeAll, expect, test } from "vitest";
import { nextOffer } from "#app/domain/offer/next-offer.server.ts";
import { acceptOffer } from "#app/domain/order/accept-offer.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { readSeenTotal, writeSeenPrices } from "#app/domain/order/seen-prices.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeOffer, makeSale } from "#tests/support/make.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
let buyers = 0;

beforeAll(async () => {
  shop = await openShop();
});

function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

test("what a page shows is read back as the total of what was chosen on it", () => {
  const seen = writeSeenPrices({
    priceCents: 9700,
    bumps: [
      { id: 12, priceCents: 1990 },
      { id: 13, priceCents: 990 },
    ],
  });
  expect(readSeenTotal(seen, [])).toBe(9700);
  expect(readSeenTotal(seen, [13, 12, 12])).toBe(12680);
  expect(readSeenTotal(seen, [14])).toBe(9700);
  for (const rubbish of ["", "97,00", "9700 12", "9700  12:1", "-1", "1".repeat(40)])
    expect(readSeenTotal(rubbish, [12])).toBeNull();
});

test("an order above the total its buyer saw is not placed; one at or below it is, at today's price", async () => {
  const ask = (seenCents: number | null) =>
    placeSale(order(shop.product.id, { ...someone(), bumpIds: [shop.bump.id], seenCents }));
  await expect(ask(11_689)).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("agora o total é R$ 116,90 (antes, R$ 116,89)"),
  });
  for (const seen of [11_690, 20_000, null]) {
    const { saleId } = await ask(seen);
    expect((await sql`select amount_cents from sales where id = ${saleId}`)[0]!.amount_cents).toBe(11_690);
  }
});

test("an offer that became dearer after it was shown is not taken silently", async () => {
  const offer = await makeOffer(shop.product);
  const parent = await makeSale(shop.product, { status: "completed" });
  await nextOffer({ saleId: parent.id, productId: shop.product.id });
  await sql`update upsell_offers set price_cents = price_cents + 100 where id = ${offer.id}`;
  const accept = (seenCents: number) =>
    acceptOffer({ saleId: parent.id, offerId: offer.id, seenCents, placer: { client: "bia" } });
  await expect(accept(offer.priceCents)).rejects.toMatchObject({ kind: "conflict" });
  await expect(accept(offer.priceCents + 100)).resolves.toMatchObject({ saleId: expect.any(String) });
});
