import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { lockOrder, type OrderedSale } from "#app/domain/sale/lock-order.server.ts";
import { holdLock, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** A purchase with an accepted upsell, beside another of the same seller that has one, too. */
async function twoOrders() {
  const product = await makeProduct(await makeSeller());
  const buy = async () => {
    const purchase = await makeSale(product, { status: "completed" });
    return [purchase, await makeSale(product, { parentSaleId: purchase.id })] as const;
  };
  await buy();
  return { product, own: await buy() };
}

const lock = (saleId: string) => db.transaction((tx) => lockOrder(tx, saleId));
const idsOf = (sales: { id: string }[]) => sales.map(({ id }) => id).sort();

test("an order is its purchase with its upsells, by the id of either", async () => {
  const { own } = await twoOrders();
  for (const { id } of own) expect(idsOf(await lock(id))).toEqual(idsOf([...own]));
});

test("an upsell that is accepted while the order waits for its purchase belongs to it", async () => {
  const { product, own } = await twoOrders();
  const [purchase, upsell] = own;
  const orders: Promise<OrderedSale[]>[] = [];
  const added: { id: string }[] = [];
  const held = await holdLock(async (tx) => {
    await tx`select from sales where id = ${purchase.id} for no key update`;
    orders.push(lock(upsell.id));
    await untilLockedOut();
    added.push(await makeSale(product, { parentSaleId: purchase.id }));
  });
  await held.release();
  expect(idsOf((await Promise.all(orders))[0]!)).toEqual(idsOf([...own, ...added]));
});
