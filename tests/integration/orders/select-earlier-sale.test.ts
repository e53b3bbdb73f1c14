import { randomUUID } from "node:crypto";
import { sql as query } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { SALE_STATUSES } from "#app/db/schema/lists.ts";
import { type EarlierSaleQuery, selectEarlierSale } from "#app/domain/order/select-earlier-sale.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** A product with the keys of one order of it, sent in one browser without an id. */
async function orderedProduct() {
  const product = await makeProduct(await makeSeller());
  const keys = { orderKey: randomUUID(), submissionKey: randomUUID() };
  const sell = async (fields: Parameters<typeof makeSale>[1] = {}) =>
    (await makeSale(product, { ...keys, ...fields })).id;
  /** The earlier sale of this order, at R$ 97,00 unless `wanted` states otherwise. */
  const find = async (wanted: Partial<EarlierSaleQuery> = {}) => {
    const fingerprints = {
      ...{ sellerId: product.sellerId, order: [keys.orderKey], submission: [keys.submissionKey] },
      ...{ hasBrowserId: false, client: [randomUUID()] },
    };
    const any = {
      couponId: null,
      mustHoldUse: false,
      hasOffer: false,
      cardCents: 9700,
      pixDiscountCents: 0,
      placedSaleIds: [],
    };
    return db.transaction(async (tx) => {
      const earlier = selectEarlierSale(tx, fingerprints, {
        ...{ ...any, isRepurchase: false, hasEmail: true },
        ...wanted,
      });
      const [row] = await tx.execute<{ id: string | null }>(query`select ${earlier} as id`);
      return row!.id;
    });
  };
  return { product, keys, sell, find };
}

test("an earlier sale costs the same with a card and with a PIX, whichever it was placed with", async () => {
  for (const [amountCents, paymentMethod] of [
    [8730, "pix"],
    [9700, "card"],
  ] as const) {
    const { sell, find } = await orderedProduct();
    const saleId = await sell({ amountCents, pixDiscountCents: 970, paymentMethod });
    expect(await find({ pixDiscountCents: 970 })).toBe(saleId);
    expect(await find({ pixDiscountCents: 970, placedSaleIds: [saleId] })).toBe(saleId);
    expect(await find({ pixDiscountCents: 971, placedSaleIds: [saleId] })).toBeNull();
    for (const cardCents of [8730, 9699, 9701])
      expect(await find({ cardCents, pixDiscountCents: 970, placedSaleIds: [saleId] })).toBeNull();
  }
});

test("an earlier sale has the same coupon, whatever it costs: another one may have ended since", async () => {
  const { keys, product, find } = await orderedProduct();
  const seller = { id: product.sellerId };
  const [before, now] = [await makeCoupon(seller), await makeCoupon(seller, { code: "HOJE" })];
  const ofCoupon = { ...keys, couponId: before.id, couponCode: before.code };
  const { id } = await makeSale(product, ofCoupon);
  expect(await find({ couponId: before.id })).toBe(id);
  for (const couponId of [now.id, null]) {
    expect(await find({ couponId })).toBeNull();
    expect(await find({ couponId, placedSaleIds: [id] })).toBeNull();
  }
});

test.each(SALE_STATUSES)("whether an order repeats a sale that is %s", async (status) => {
  const { sell, find } = await orderedProduct();
  const saleId = await sell({ status });
  const isUnpaid = status === "pending" || status === "failed";
  const found = isUnpaid || status === "completed" ? saleId : null;
  expect(await find()).toBe(found);
  // Who wants another one: the sale is not yet known to that browser, or there is none that it knows.
  expect(await find({ isRepurchase: true, placedSaleIds: [randomUUID()] })).toBe(found);
  const unpaid = isUnpaid ? saleId : null;
  expect(await find({ isRepurchase: true, placedSaleIds: [saleId] })).toBe(unpaid);
  expect(await find({ isRepurchase: true })).toBe(unpaid);
});

test("an order repeats no sale of another shop, whatever keys it has", async () => {
  const { keys, sell, find } = await orderedProduct();
  const elsewhere = await makeSale(await makeProduct(await makeSeller()), keys);
  expect(await find({ placedSaleIds: [elsewhere.id] })).toBeNull();
  const saleId = await sell();
  expect(await find({ placedSaleIds: [elsewhere.id] })).toBe(saleId);
});

test("a sale that its browser knows is repeated before one that was sent alike, and the newest of several", async () => {
  const { sell, find } = await orderedProduct();
  const [first, second, third] = [await sell(), await sell(), await sell()];
  for (const [saleId, minutes] of [
    [first, 3],
    [second, 2],
  ] as const)
    await sql`update sales set created_at = created_at - make_interval(mins => ${minutes}) where id = ${saleId}`;
  expect(await find()).toBe(third);
  expect(await find({ placedSaleIds: [second, first] })).toBe(second);
});
