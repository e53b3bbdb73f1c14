import { expect, test } from "vitest";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { testDestination } from "#app/domain/outbox/test-destination.server.ts";
import { askForRefund } from "#app/domain/refund/asked/ask-for-refund.server.ts";
import { newsOf, tell } from "#tests/integration/outbox/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

const EVENTS: NewsEvent[] = ["refund.requested", "sale.refunded"];

/** A paid sale whose buyer asks for the money back. */
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

test("who asks for their money back is told of once, in our form and in Hotmart's, and not in Kiwify's", async () => {
  const { seller, saleId, email } = await paidSale();
  const [ours, hotmart, kiwify] = await Promise.all([
    makeWebhook(seller, { name: "asked-ours", events: EVENTS }),
    makeWebhook(seller, { name: "asked-hotmart", form: "hotmart", events: EVENTS }),
    makeWebhook(seller, { name: "asked-kiwify", form: "kiwify", events: EVENTS }),
  ]);
  await Promise.all([askForRefund(email, saleId, "Comprei duas vezes"), askForRefund(email, saleId, "")]);
  await askForRefund(email, saleId, "");
  for (const webhook of [ours, hotmart, kiwify]) await tell(webhook, saleId);
  const [said, ...more] = await bodiesAt("asked-ours");
  expect(more).toEqual([]);
  expect(said).toMatchObject({
    type: "refund.requested",
    data: { sale: { id: saleId, status: "completed", refunded_cents: 0 }, refund_request: { kind: "right" } },
  });
  expect(JSON.stringify(said)).not.toContain("Comprei duas vezes");
  expect(await bodiesAt("asked-hotmart")).toMatchObject([
    { event: "PURCHASE_PROTEST", data: { purchase: { status: "DISPUTE" } } },
  ]);
  expect(await newsOf(kiwify)).toMatchObject([
    { event: "refund.requested", status: "dropped", why: "nothing-to-say" },
  ]);
  expect(await bodiesAt("asked-kiwify")).toEqual([]);
});

test("a question to the seller is told as one", async () => {
  const { seller, saleId, email } = await paidSale();
  const webhook = await makeWebhook(seller, { name: "asked-late", events: EVENTS });
  await sql`update sales set completed_at = now() - interval '40 days' where id = ${saleId}`;
  await askForRefund(email, saleId, "Não abriu");
  await tell(webhook, saleId);
  expect(await bodiesAt("asked-late")).toMatchObject([{ data: { refund_request: { kind: "question" } } }]);
});

test("a request is not told where it was refused, nor to who hears of other products or events", async () => {
  const { seller, saleId, email } = await paidSale();
  const other = await makeProduct(seller);
  const webhooks = await Promise.all([
    makeWebhook(seller, { name: "asked-elsewhere", events: EVENTS, productIds: [other.id] }),
    makeWebhook(seller, { name: "asked-not", events: ["sale.refunded"] }),
    makeWebhook(seller, { name: "asked-no", events: EVENTS }),
  ]);
  await sql`update sales set completed_at = now() - interval '40 days' where id = ${saleId}`;
  await expect(askForRefund(email, saleId, "")).rejects.toMatchObject({ kind: "invalid" });
  expect(await newsOf(webhooks[2]!)).toEqual([]);
  await askForRefund(email, saleId, "Não abriu");
  expect(await newsOf(webhooks[0]!)).toEqual([]);
  expect(await newsOf(webhooks[1]!)).toEqual([]);
});

test("the event is tried out like any other", async () => {
  const { seller } = await openShop();
  const webhook = await makeWebhook(seller, { name: "asked-test", events: EVENTS });
  expect(await testDestination("webhook", seller.id, webhook, "refund.requested")).toMatchObject({
    status: "sent",
  });
  expect(await bodiesAt("asked-test")).toMatchObject([
    { type: "refund.requested", data: { test: true, refund_request: { kind: "right" } } },
  ]);
});
