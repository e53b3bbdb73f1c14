import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { giveBackSale } from "#app/domain/sale/give-back-sale.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { newsOf, tell } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSale } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

const EVENTS = ["sale.partially_refunded", "sale.refunded"] as const;

test("each part that goes back is told once with its sum, and the last is the refund of what was left", async () => {
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
      await openRefund(tx, { chargeId, amountCents, status: "done", origin: "observed" }, "provider");
      const sums = { refundedCents: back, addedCents: amountCents };
      await giveBackSale(tx, { id: saleId, status: "completed" }, sums, "provider");
    });
  }
  await tell(ours, saleId);
  const said = (await app.sandbox.arrivals("part-ours")).map(({ body }) => JSON.parse(body));
  expect(said).toMatchObject([
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
  // Neither of the two has a word for a part.
  for (const webhook of [kiwify, hotmart]) {
    await tell(webhook, saleId);
    expect(await newsOf(webhook)).toMatchObject([
      { event: "sale.partially_refunded", status: "dropped", why: "nothing-to-say" },
      { event: "sale.partially_refunded", status: "dropped", why: "nothing-to-say" },
      { event: "sale.refunded", status: "sent" },
    ]);
  }
});

test("money that goes back is told with a refund and a chargeback, and with no other news", async () => {
  const { product } = await openShop();
  const { id } = await makeSale(product, { status: "completed" });
  const told = NEWS_EVENTS.map(async (event) => {
    const news = await readNews({ saleId: id, aboutId: id, event, at: new Date(), email: null });
    return [event, news!.sale.refundCents];
  });
  expect((await Promise.all(told)).filter(([, cents]) => cents !== null)).toEqual([
    ["sale.refunded", 9700],
    ["sale.chargedback", 9700],
  ]);
});
