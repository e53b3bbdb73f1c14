import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { resendTracking } from "#app/domain/tracking/resend-tracking.server.ts";
import { scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
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
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A paid order of R$ 97,00 that UTMify has; `refund` books a part of it. */
async function paidOrder() {
  const { seller, product } = await openTrackedShop();
  const bought = await buy(product.id);
  const { saleId, chargeId } = bought;
  await pay(app, bought);
  await deliverToUtmify(saleId);
  let refundedCents = 0;
  const refund = async (addedCents: number) => {
    refundedCents += addedCents;
    await db.transaction(async (tx) => {
      const done = { chargeId, amountCents: addedCents, status: "done", origin: "observed" } as const;
      await openRefund(tx, { ...done, sellerId: seller.id }, "provider");
      const sale = { id: saleId, sellerId: seller.id, status: "completed" } as const;
      await bookSaleRefund(tx, sale, { refundedCents, addedCents }, "provider");
    });
  };
  return { seller, saleId, refund };
}

async function totalsOf(saleId: string): Promise<number[]> {
  // biome-ignore lint/suspicious/noExplicitAny: UTMify's own body.
  const history = (await orderOf(app, saleId))!.history as { body: any }[];
  return history.map(({ body }) => body.commission.totalPriceInCents);
}

test("a late retry of a partial refund is not sent after the next one", async () => {
  const { seller, saleId, refund } = await paidOrder();
  const webhook = await makeWebhook(seller, { name: saleId, events: ["sale.partially_refunded"] });
  await refund(1000);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(saleId);
  await refund(2000);
  await deliverToUtmify(saleId);
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(saleId);
  expect(await totalsOf(saleId)).toEqual([9700, 9700, 6700]);
  expect((await eventsOf(saleId)).slice(-2)).toMatchObject([
    { event: "sale.partially_refunded", status: "dropped", reason: "outdated" },
    { event: "sale.partially_refunded", status: "sent" },
  ]);
  // To a webhook each partial refund is an event of its own.
  await sendQueued(webhook, saleId);
  const received = (await app.sandbox.arrivals(saleId)).map(({ body }) => JSON.parse(body).data.refund);
  expect(received).toMatchObject([{ amount_cents: 1000 }, { amount_cents: 2000 }]);
});

test("a partial refund that fails while the next one waits is left out", async () => {
  const { saleId, refund } = await paidOrder();
  await refund(1000);
  await refund(2000);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(saleId);
  expect(await totalsOf(saleId)).toEqual([9700, 9700, 6700]);
  expect((await eventsOf(saleId)).slice(-2)).toMatchObject([
    { status: "dropped", reason: "status", attempts: 1 },
    { status: "sent", attempts: 1 },
  ]);
});

test("an order that is sent again says what was refunded of it, also where UTMify refused or never got that", async () => {
  const { seller, saleId, refund } = await paidOrder();
  await refund(1000);
  await app.sandbox.fault({ service: "utmify", mode: "status-404" });
  await deliverToUtmify(saleId);
  expect((await eventsOf(saleId)).at(-1)).toMatchObject({ status: "refused", response_status: 404 });
  expect(await resendTracking(seller.id, saleId)).toMatchObject({ success: true });
  await makeTracking(seller, { events: { purchase: true, refund: false, chargeback: true } });
  await refund(2000);
  expect(await resendTracking(seller.id, saleId)).toMatchObject({ success: true });
  expect(await totalsOf(saleId)).toEqual([9700, 9700, 8700, 6700]);
  const statuses = (await eventsOf(saleId)).map(({ event, status }) => `${event} ${status}`);
  expect(statuses.slice(1)).toEqual([
    "sale.paid sent",
    "sale.partially_refunded sent",
    "sale.partially_refunded sent",
  ]);
});
