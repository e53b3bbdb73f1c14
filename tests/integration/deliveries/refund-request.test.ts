import { expect, test } from "vitest";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

const EVENTS: DeliveryEvent[] = ["refund.requested", "sale.refunded"];

/** A paid sale whose buyer requests a refund. */
async function paidSale() {
  const { seller, product } = await openShop();
  const bought = await buy(product.id, {
    customer: { ...order(product.id).customer, email: `bia-${product.id}@exemplo.com.br` },
  });
  await pay(app, bought);
  return { seller, product, saleId: bought.saleId, email: `bia-${product.id}@exemplo.com.br` };
}

const bodiesAt = async (name: string) =>
  (await app.sandbox.arrivals(name)).map(({ body }) => JSON.parse(body));

test("a refund request is delivered once, in our form and in Hotmart's, and not in Kiwify's", async () => {
  const { seller, saleId, email } = await paidSale();
  const [ours, hotmart, kiwify] = await Promise.all([
    makeWebhook(seller, { name: "asked-ours", events: EVENTS }),
    makeWebhook(seller, { name: "asked-hotmart", form: "hotmart", events: EVENTS }),
    makeWebhook(seller, { name: "asked-kiwify", form: "kiwify", events: EVENTS }),
  ]);
  await Promise.all([requestRefund(email, saleId, "Comprei duas vezes"), requestRefund(email, saleId, "")]);
  await requestRefund(email, saleId, "");
  for (const webhook of [ours, hotmart, kiwify]) await sendQueued(webhook, saleId);
  const [received, ...more] = await bodiesAt("asked-ours");
  expect(more).toEqual([]);
  expect(received).toMatchObject({
    type: "refund.requested",
    data: { sale: { id: saleId, status: "completed", refunded_cents: 0 }, refund_request: { kind: "right" } },
  });
  expect(JSON.stringify(received)).not.toContain("Comprei duas vezes");
  expect(await bodiesAt("asked-hotmart")).toMatchObject([
    { event: "PURCHASE_PROTEST", data: { purchase: { status: "DISPUTE" } } },
  ]);
  expect(await deliveriesOf(kiwify)).toMatchObject([
    { event: "refund.requested", status: "dropped", reason: "nothing-to-say" },
  ]);
  expect(await bodiesAt("asked-kiwify")).toEqual([]);
});

test("a request that the seller decides is delivered as one", async () => {
  const { seller, saleId, email } = await paidSale();
  const webhook = await makeWebhook(seller, { name: "asked-late", events: EVENTS });
  await sql`update sales set completed_at = now() - interval '40 days' where id = ${saleId}`;
  await requestRefund(email, saleId, "Não abriu");
  await sendQueued(webhook, saleId);
  expect(await bodiesAt("asked-late")).toMatchObject([{ data: { refund_request: { kind: "question" } } }]);
});

test("a request is not delivered if it was refused, nor to destinations with other products or events", async () => {
  const { seller, saleId, email } = await paidSale();
  const other = await makeProduct(seller);
  const webhooks = await Promise.all([
    makeWebhook(seller, { name: "asked-elsewhere", events: EVENTS, productIds: [other.id] }),
    makeWebhook(seller, { name: "asked-not", events: ["sale.refunded"] }),
    makeWebhook(seller, { name: "asked-no", events: EVENTS }),
  ]);
  await sql`update sales set completed_at = now() - interval '40 days' where id = ${saleId}`;
  await expect(requestRefund(email, saleId, "")).rejects.toMatchObject({ kind: "invalid" });
  expect(await deliveriesOf(webhooks[2]!)).toEqual([]);
  await requestRefund(email, saleId, "Não abriu");
  expect(await deliveriesOf(webhooks[0]!)).toEqual([]);
  expect(await deliveriesOf(webhooks[1]!)).toEqual([]);
});

test("the event can be tested like any other", async () => {
  const { seller } = await openShop();
  const webhook = await makeWebhook(seller, { name: "asked-test", events: EVENTS });
  expect(await testDestination("webhook", seller.id, webhook, "refund.requested")).toMatchObject({
    status: "sent",
  });
  expect(await bodiesAt("asked-test")).toMatchObject([
    { type: "refund.requested", data: { test: true, refund_request: { kind: "right" } } },
  ]);
});
