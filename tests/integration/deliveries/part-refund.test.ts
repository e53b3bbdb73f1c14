import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { moveSale, type SaleMove } from "#app/domain/sale/move-sale.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSale } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

const EVENTS = ["sale.partially_refunded", "sale.refunded"] as const;

/** Books a refund of a completed sale: `refundedCents` in all. */
function refundPart(
  { saleId, sellerId, chargeId }: { saleId: string; sellerId: string; chargeId: string },
  { amountCents, refundedCents }: { amountCents: number; refundedCents: number },
): Promise<void> {
  return db.transaction(async (tx) => {
    const done = { sellerId, chargeId, amountCents, status: "done", origin: "observed" } as const;
    await openRefund(tx, done, "provider");
    const sums = { refundedCents, addedCents: amountCents };
    await bookSaleRefund(tx, { id: saleId, sellerId, status: "completed" }, sums, "provider");
  });
}

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
    await refundPart({ saleId, sellerId: seller.id, chargeId }, { amountCents, refundedCents: back });
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

test("what was refunded in parts is in what is delivered since, and not in what was before", async () => {
  const { seller, product } = await openShop();
  const bought = await buy(product.id);
  const { saleId: id, chargeId } = bought;
  const events = ["sale.paid", "sale.disputed", "sale.dispute_won"] as const;
  const webhook = await makeWebhook(seller, { name: "part-since", events: [...events] });
  await pay(app, bought);
  const sale = { id, sellerId: seller.id };
  const move = (...[status, to]: [SaleStatus, SaleMove]) =>
    db.transaction((tx) => moveSale(tx, { ...sale, status }, to, "provider"));
  await refundPart({ saleId: id, sellerId: seller.id, chargeId }, { amountCents: 1000, refundedCents: 1000 });
  await move("completed", { to: "disputed", disputeId: randomUUID(), suspends: true });
  await move("disputed", { to: "completed", disputeId: randomUUID(), restores: true });
  await refundPart({ saleId: id, sellerId: seller.id, chargeId }, { amountCents: 500, refundedCents: 1500 });
  await sendQueued(webhook, id);
  const received = (await app.sandbox.arrivals("part-since")).map(({ body }) => JSON.parse(body));
  expect(received.map(({ type, data }) => [type, data.sale.refunded_cents])).toEqual([
    ["sale.paid", 0],
    ["sale.disputed", 1000],
    ["sale.dispute_won", 1000],
  ]);
});

test("a partial refund says that the sale is disputed where it was at that moment, however late it is sent", async () => {
  const { seller, product } = await openShop();
  const bought = await buy(product.id);
  const { saleId, chargeId } = bought;
  const webhook = await makeWebhook(seller, { name: "part-disputed", events: ["sale.partially_refunded"] });
  await pay(app, bought);
  const refund = (refundedCents: number) =>
    refundPart({ saleId, sellerId: seller.id, chargeId }, { amountCents: 1000, refundedCents });
  await refund(1000);
  await recordDispute(seller.id, saleId);
  await refund(2000);
  await recordDecision(seller.id, saleId, "won");
  await refund(3000);
  await recordDispute(seller.id, saleId);
  await sendQueued(webhook, saleId);
  const received = (await app.sandbox.arrivals("part-disputed")).map(({ body }) => JSON.parse(body));
  expect(received.map(({ data }) => data.sale.status)).toEqual(["completed", "disputed", "completed"]);
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
