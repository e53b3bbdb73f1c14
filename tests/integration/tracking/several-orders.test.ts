import { expect, test } from "vitest";
import { resendTracking } from "#app/domain/tracking/resend-tracking.server.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy } from "#tests/integration/payments/support.ts";
import {
  deliverToUtmify,
  eventsOf,
  openTrackedShop,
  orderOf,
  pay,
  utmifyOf,
} from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSale } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

const buyer = (email: string) => ({ customer: { name: "Bia", email, phone: null, document: null } });

test("what a webhook received of an order does not count for UTMify, which gets each state", async () => {
  const { seller, product } = await openTrackedShop();
  const webhook = await makeWebhook(seller, { name: "beside-utmify" });
  const bought = await buy(product.id);
  await pay(app, bought);
  await sendQueued(webhook, bought.saleId);
  await deliverToUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map(({ body }) => body.status)).toEqual([
    "waiting_payment",
    "paid",
  ]);
});

test("an order whose state is tried again is not replaced by the newer state of another order", async () => {
  const { product } = await openTrackedShop();
  const [waiting, paid] = [
    await buy(product.id, buyer("a@exemplo.com.br")),
    await buy(product.id, buyer("b@exemplo.com.br")),
  ];
  await pay(app, paid);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(waiting.saleId);
  expect(await eventsOf(waiting.saleId)).toMatchObject([{ status: "queued", attempts: 1 }]);
});

test("an order that is sent to UTMify again is sent to no webhook again", async () => {
  const { seller, product } = await openTrackedShop();
  const webhook = await makeWebhook(seller, { name: "not-again", events: ["sale.paid"] });
  const bought = await buy(product.id);
  await pay(app, bought);
  await sendQueued(webhook, bought.saleId);
  await deliverToUtmify(bought.saleId);
  expect(await resendTracking(seller.id, bought.saleId)).toMatchObject({ success: true });
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  expect(await app.sandbox.arrivals("not-again")).toHaveLength(1);
});

test("while UTMify asks for time a seller's order waits, and while it is switched off none is sent", async () => {
  const { seller, product } = await openTrackedShop();
  const sale = await makeSale(product, { status: "completed" });
  const utmify = await utmifyOf(seller.id);
  await sql`update destinations set backoff_until = now() + interval '1 hour' where id = ${utmify}`;
  const { success, message } = await resendTracking(seller.id, sale.id);
  expect(success).toBe(false);
  expect(message).toMatch(/^A UTMify pediu para esperar/);
  await makeTracking(seller, { enabled: false });
  await expect(resendTracking(seller.id, sale.id)).rejects.toMatchObject({ kind: "conflict" });
});

test("a state that is sent again leaves the order's other states and other orders as they are", async () => {
  const { seller, product } = await openTrackedShop();
  const [again, other] = [
    await buy(product.id, buyer("c@exemplo.com.br")),
    await buy(product.id, buyer("d@exemplo.com.br")),
  ];
  for (const bought of [again, other]) {
    await pay(app, bought);
    await deliverToUtmify(bought.saleId);
  }
  const states = () => sql`select * from deliveries
    where seller_id = ${seller.id} and not (sale_id = ${again.saleId} and event = 'sale.paid') order by sequence`;
  const before = await states();
  expect(before).toHaveLength(3);
  expect(await resendTracking(seller.id, again.saleId)).toMatchObject({ success: true });
  expect(await states()).toEqual(before);
  expect((await orderOf(app, again.saleId))!.history).toHaveLength(3);
});
