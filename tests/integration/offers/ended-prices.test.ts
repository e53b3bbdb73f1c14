import { afterEach, expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { claimCardPayment } from "#app/domain/card/claim-card-payment.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { CheckoutOrder } from "#app/domain/order/order.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeCoupon, makeGateway, makeOffer } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

await startApp({ web: 0, worker: 0 });
afterEach(() => void vi.restoreAllMocks());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE);

/** A shop with a price tier and a coupon, and a spare account unless `hasSpare` is false. */
async function openTierShop({ graceMinutes = 0, hasSpare = true } = {}) {
  const shop = await openShop();
  const { seller, product } = shop;
  if (hasSpare) await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  await makeCardGateway(seller);
  await makeCheckoutSettings(seller, { price_grace_minutes: graceMinutes });
  const tier = await makeOffer(product, { kind: "tier", slug: null });
  const coupon = await makeCoupon(seller);
  /** The tier and the coupon, or one of them, ended so many minutes ago. */
  const end = async (what: "tier" | "coupon", minutes: number) => {
    if (what === "tier") await sql`update offers set ends_at = ${minutesAgo(minutes)} where id = ${tier.id}`;
    else await sql`update coupons set ends_at = ${minutesAgo(minutes)} where id = ${coupon.id}`;
  };
  const order = (fields: Partial<CheckoutOrder> = {}) =>
    placeOrder({
      ...orderOf(shop, "bia@exemplo.com.br"),
      ...{ seenOfferId: tier.id, coupons: { typed: coupon.code, linked: null }, ...fields },
    });
  return { end, order };
}

/** PushinPay creates no code once. `meanwhile` happens while it is asked. */
function failOnce(meanwhile = async () => {}) {
  vi.spyOn(providers.pushinpay!, "createCharge").mockImplementationOnce(async () => {
    await meanwhile();
    throw new ProviderError("busy", "503");
  });
}

const claimCard = (saleId: string) =>
  db.transaction((tx) => claimCardPayment(tx, saleId, { instalments: 1, token: crypto.randomUUID() }));

test("the spare creates the code of an order that was placed in the grace after its tier's end", async () => {
  const { end, order } = await openTierShop({ graceMinutes: 10 });
  await end("tier", 1);
  failOnce();
  expect(await order()).toMatchObject({ refusal: null, chargeId: expect.any(String) });
});

test.each(["tier", "coupon"] as const)(
  "the spare creates the code of an order whose %s ends while the first account is asked",
  async (what) => {
    const { end, order } = await openTierShop();
    failOnce(() => end(what, 0));
    const { refusal, saleId } = await order();
    expect(refusal).toBeNull();
    const [sale] = await sql`select o.units, c.uses from sales s, offers o, coupons c
      where s.id = ${saleId} and o.id = s.offer_id and c.id = s.coupon_id`;
    expect(sale).toEqual({ units: 1, uses: 1 });
  },
);

test("an order in the grace whose PIX failed gets one when it is sent again, and none after the grace", async () => {
  const { end, order } = await openTierShop({ graceMinutes: 10, hasSpare: false });
  await end("tier", 1);
  failOnce();
  const { refusal, saleId } = await order();
  expect(refusal).toMatchObject({ kind: "unavailable" });
  await end("tier", 11);
  await expect(startPix(saleId)).rejects.toThrow('A oferta "Lançamento" deste pedido não vale mais.');
  await end("tier", 9);
  expect(await order()).toMatchObject({ saleId, refusal: null });
});

test.each([
  ["tier", 'A oferta "Lançamento" deste pedido não vale mais.'],
  ["coupon", "O cupom MENOS10 deste pedido não vale mais."],
] as const)(
  "a card pays an order in the grace after its %s's end, and none after it",
  async (what, refusal) => {
    const { end, order } = await openTierShop({ graceMinutes: 10 });
    if (what === "tier") await end(what, 1);
    const { saleId } = await order({ isCard: true });
    await end(what, 11);
    await expect(claimCard(saleId)).rejects.toThrow(refusal);
    await end(what, 9);
    expect(await claimCard(saleId)).toMatchObject({ chargeId: expect.any(String) });
  },
);
