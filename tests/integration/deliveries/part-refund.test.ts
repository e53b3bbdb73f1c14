import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { readNotification } from "#app/domain/sale/read-notification.server.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSale } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

const EVENTS = ["sale.partially_refunded", "sale.refunded"] as const;

test("each partial refund is delivered once with its sum, and the last one is the refund of the rest", async () => {
  const { seller, product } = await openShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  const { saleId, chargeId } = bought;
  const [ours, kiwify, hotmart] = await Promise.all([
    makeWebhook(seller, { name: "part-ours", events: [...EVENTS] }),
    makeWebhook(seller, { name: "part-kiwify", form: "kiwify", events: [...EVENTS] }),
    makeWebhook(seller, { name: "part-hotmart", form: "hotmart", events: [...EVENTS] }),
  ]);
  let back = 0;
  for (const amountCents of [1990, 1000, 6710]) {
    back += amountCents;
    await db.transaction(async (tx) => {
      const refund = {
        sellerId: seller.id,
        chargeId,
        amountCents,
        status: "done",
        origin: "observed",
      } as const;
      await openRefund(tx, refund, "provider");
      const sums = { refundedCents: back, addedCents: amountCents };
      await bookSaleRefund(tx, { id: saleId, sellerId: seller.id, status: "completed" }, sums, "provider");
    });
  }
  await sendQueued(ours, saleId);
  const received = (await app.sandbox.arrivals("part-ours")).map(({ body }) => JSON.parse(body));
  expect(received).toMatchObject([
    {
      type: "sale.partially_refunded",
      data: {
        sale: { status: "completed", refunded_cents: 1990 },
        refund: { amount: 19.9, amount_cents: 1990 },
      },
    },
    {
      type: "sale.partially_refunded",
      data: { sale: { refunded_cents: 2990 }, refund: { amount_cents: 1000 } },
    },
    {
      type: "sale.refunded",
      data: { sale: { status: "refunded", refunded_cents: 9700 }, refund: { amount_cents: 6710 } },
    },
  ]);
  // Neither of the two has an event for a partial refund.
  for (const webhook of [kiwify, hotmart]) {
    await sendQueued(webhook, saleId);
    expect(await deliveriesOf(webhook)).toMatchObject([
      { event: "sale.partially_refunded", status: "dropped", reason: "nothing-to-say" },
      { event: "sale.partially_refunded", status: "dropped", reason: "nothing-to-say" },
      { event: "sale.refunded", status: "sent" },
    ]);
  }
});

test("returned amounts are delivered with a refund and a chargeback, and with no other event", async () => {
  const { seller, product } = await openShop();
  const { id } = await makeSale(product, { status: "completed" });
  const delivered = DELIVERY_EVENTS.map(async (event) => {
    const notification = await readNotification({
      sellerId: seller.id,
      saleId: id,
      aboutId: id,
      event,
      at: new Date(),
      email: null,
    });
    return [event, notification!.sale.refundCents];
  });
  expect((await Promise.all(delivered)).filter(([, cents]) => cents !== null)).toEqual([
    ["sale.refunded", 9700],
    ["sale.chargedback", 9700],
  ]);
});
