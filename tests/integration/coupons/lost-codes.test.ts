import { beforeEach, expect, test } from "vitest";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSeller,
} from "#tests/support/make.ts";

const app = await startApp({ web: 0, worker: 0 });

const fault = (times: number) => app.sandbox.post("/faults", { service: "woovi", mode: "reset", times });
beforeEach(() => fault(0));

/** A shop at a provider that can look up lost codes, with a coupon for one use and an offer of one unit. */
async function openLastShop() {
  const seller = await makeSeller();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  const product = await makeProduct(seller);
  const shop = { product, bump: await makeBump(product) };
  const offer = await makeOffer(product, { maxUnits: 1 });
  const coupon = await makeCoupon(seller, { maxUses: 1 });
  const order = () =>
    placeOrder({
      ...orderOf(shop, `${crypto.randomUUID()}@exemplo.com.br`),
      ...{ product: { slug: offer.slug }, coupons: { typed: coupon.code, linked: null } },
    });
  /** What counts of the offer and of the coupon. */
  const counted = async () => {
    const [row] =
      await sql`select o.units, c.uses from offers o, coupons c where o.id = ${offer.id} and c.id = ${coupon.id}`;
    return [row!.units, row!.uses];
  };
  /** An order whose code was requested while the provider did not answer. */
  const loseCode = async () => {
    await fault(50);
    const { refusal, saleId } = await order();
    expect(refusal).toMatchObject({ kind: "unavailable" });
    expect(await counted()).toEqual([0, 0]);
    return saleId;
  };
  return { seller, coupon, order, counted, loseCode };
}

const chargesOf = async (saleId: string) => {
  const rows = await sql`select status from charges where sale_id = ${saleId}`;
  return rows.map(({ status }) => status);
};

test("who asks again while the provider is still down takes neither the last unit nor the coupon's last use", async () => {
  const { order, counted, loseCode } = await openLastShop();
  const saleId = await loseCode();
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  expect(await counted()).toEqual([0, 0]);
  await fault(0);
  expect(await order()).toMatchObject({ refusal: null });
});

test("who goes on at another account because the lost code cannot be looked up has reserved nothing: an ended coupon is refused", async () => {
  const { seller, coupon, counted, loseCode } = await openLastShop();
  const saleId = await loseCode();
  await makeGateway(seller);
  await saveGateways(seller.id, { first_provider: "woovi" });
  await sql`update coupons set ends_at = now() - interval '1 hour' where id = ${coupon.id}`;
  await expect(startPix(saleId)).rejects.toThrow("O cupom");
  expect(await counted()).toEqual([0, 0]);
  await sql`update coupons set ends_at = null where id = ${coupon.id}`;
  await startPix(saleId);
  expect(await counted()).toEqual([1, 1]);
});

test("a lost code that is found takes them", async () => {
  const { counted, loseCode } = await openLastShop();
  const saleId = await loseCode();
  await fault(0);
  await Promise.all([startPix(saleId), startPix(saleId)]);
  expect(await chargesOf(saleId)).toEqual(["open"]);
  expect(await counted()).toEqual([1, 1]);
});

test("a lost code is not shown where another buyer has taken them meanwhile", async () => {
  const { order, counted, loseCode } = await openLastShop();
  const saleId = await loseCode();
  await fault(0);
  expect(await order()).toMatchObject({ refusal: null });
  await expect(startPix(saleId)).rejects.toThrow('A oferta "Lançamento" deste pedido não vale mais.');
  expect(await chargesOf(saleId)).toEqual(["failed"]);
  expect(await counted()).toEqual([1, 1]);
});
