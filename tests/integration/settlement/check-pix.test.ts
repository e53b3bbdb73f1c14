import { expect, test } from "vitest";
import { checkPendingCharges, checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeCharge, makeSale } from "#tests/support/make.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.webhooks({ drop: true });

/** How often the provider was asked about each charge. */
async function checksOf(charges: { id: string }[]): Promise<number[]> {
  const rows = await sql`select id, checks from charges where id in ${sql(charges.map(({ id }) => id))}`;
  return charges.map(({ id }) => rows.find((row) => row.id === id)!.checks);
}

test("the provider is asked when the buyer clicks only, and about no older code once this one is paid", async () => {
  const { product } = await openShop();
  const { saleId, chargeId, providerId } = await buy(product.id);
  const older = await makeCharge(
    { id: saleId, amountCents: 9700 },
    { status: "expired", createdAt: new Date(Date.now() - HOUR) },
  );
  await app.sandbox.pay(providerId);
  expect(await checkPix(chargeId, { asksProvider: false })).toMatchObject({ status: "pending" });
  expect(await checksOf([{ id: chargeId }, older])).toEqual([0, 0]);
  expect(await checkPix(chargeId, { asksProvider: true })).toMatchObject({ status: "completed" });
  expect(await checksOf([{ id: chargeId }, older])).toEqual([1, 0]);
});

test.each<[string, (order: { saleId: string; id: string }) => Promise<unknown>]>([
  ["a click", ({ id }) => checkPix(id, { asksProvider: true })],
  ["a check of the whole order", ({ saleId }) => checkPendingCharges(saleId)],
])("%s finds an old payment behind codes that failed, and asks about no other order", async (_, check) => {
  const { product } = await openShop();
  const other = await makeCharge(await makeSale(product));
  const { saleId, chargeId, providerId } = await buy(product.id);
  await sql`update charges set status = 'expired', created_at = now() - interval '1 hour' where id = ${chargeId}`;
  const sale = { id: saleId, amountCents: 9700 };
  const failed = [];
  for (let at = 0; at < 3; at++) failed.push(await makeCharge(sale, { status: "failed" }));
  const current = await makeCharge(sale);
  await app.sandbox.pay(providerId);
  await check(current);
  expect(await sql`select status from sales where id = ${saleId}`).toEqual([{ status: "completed" }]);
  expect(await checksOf([other, ...failed])).toEqual([0, 0, 0, 0]);
});

test("of charges that were checked a moment ago, an order's card is checked again soon, and the one that is clicked", async () => {
  const { seller, product } = await openShop();
  await makeCardGateway(seller);
  const sale = await makeSale(product);
  const checked = { lastCheckedAt: new Date(), nextCheckAt: new Date(Date.now() + 5 * HOUR) };
  const code = await makeCharge(sale, checked);
  const card = await makeCharge(sale, {
    ...{ ...checked, method: "card", instalments: 1, provider: "mercadopago", status: "in_review" },
  });
  const areSoon = async () => {
    const rows = await sql`select id, next_check_at < now() + interval '1 hour' as soon from charges
      where sale_id = ${sale.id}`;
    return [code, card].map(({ id }) => rows.find((row) => row.id === id)!.soon);
  };
  await checkPendingCharges(sale.id);
  expect(await areSoon()).toEqual([false, true]);
  await checkPix(card.id, { asksProvider: true });
  expect(await areSoon()).toEqual([false, true]);
  await checkPix(code.id, { asksProvider: true });
  expect(await areSoon()).toEqual([true, true]);
});
