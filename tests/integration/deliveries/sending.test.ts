import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { deleteDestination } from "#app/domain/delivery/change-destination.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { deliveriesOf, nextAttempt, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { openTrackedShop, pay, utmifyOf } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";
import { makeWebhook, SECRET } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

test("a sale from order to refund is delivered in order, each event once, with signatures that the standardwebhooks package accepts", async () => {
  const { seller, product, bump } = await openShop();
  const webhook = await makeWebhook(seller, { name: "whole-life" });
  const bought = await buy(product.id, {
    bumpIds: [bump.id],
    campaign: { utm_source: "instagram", src: "bio" },
  });
  await sendQueued(webhook, bought.saleId);
  await pay(app, bought);
  await sendQueued(webhook, bought.saleId);
  await db.transaction((tx) =>
    moveSale(
      tx,
      { id: bought.saleId, sellerId: seller.id, status: "completed" },
      { to: "refunded", refundedCents: 11690 },
      "seller",
    ),
  );
  await sendQueued(webhook, bought.saleId);
  const arrivals = await app.sandbox.arrivals("whole-life");
  const delivered = arrivals.map(({ body, headers }) => new Webhook(SECRET).verify(body, headers)) as {
    type: string;
    data: Record<string, unknown>;
  }[];
  expect(delivered.map(({ type }) => type)).toEqual([
    "checkout.started",
    "pix.generated",
    "sale.paid",
    "access.granted",
    "sale.refunded",
    "access.revoked",
  ]);
  expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(6);
  expect(delivered[2]).toMatchObject({
    type: "sale.paid",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: {
      test: false,
      sale: {
        id: bought.saleId,
        status: "completed",
        amount: 116.9,
        amount_cents: 11690,
        paid_at: expect.any(String),
      },
      product: { id: String(product.id), name: product.name },
      items: [
        { type: "product", code: String(product.id), price_cents: 9700 },
        { type: "bump", code: `bump-${bump.id}`, price_cents: 1990 },
      ],
      customer: {
        name: "Bia Compradora",
        email: "bia@exemplo.com.br",
        phone: "+5511987654321",
        document: null,
      },
      campaign: { utm_source: "instagram", src: "bio" },
    },
  });
  expect(delivered[1]!.data).toMatchObject({
    pix: { code: expect.any(String), url: expect.stringContaining(`/checkout/pix/${bought.saleId}`) },
  });
  expect(delivered[3]!.data).toMatchObject({
    access_url: expect.stringContaining(`/thank-you/${bought.saleId}`),
  });
  expect(
    (await deliveriesOf(webhook)).every(({ status, attempts }) => status === "sent" && attempts === 1),
  ).toBe(true);
});

test("the same delivery queued and sent twice at once is sent once", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "once", events: ["pix.generated"] });
  const { saleId } = await buy(product.id);
  await Promise.all([sendQueued(webhook, saleId), sendQueued(webhook, saleId), sendQueued(webhook, saleId)]);
  expect(await app.sandbox.arrivals("once")).toHaveLength(1);
});

test("a webhook gets only its own events and products, and a paused or deleted one nothing", async () => {
  const { seller, product } = await openShop();
  const other = await makeProduct(seller);
  const stopped = { stoppedAt: new Date(), stoppedReason: "seller" as const };
  const ids = [
    await makeWebhook(seller, { name: "some", productIds: [other.id] }),
    await makeWebhook(seller, { name: "paid", events: ["sale.paid"] }),
    await makeWebhook(seller, { name: "paused", ...stopped }),
  ];
  const stranger = await openShop();
  ids.push(await makeWebhook(stranger.seller, { name: "stranger" }));
  await buy(product.id);
  for (const id of ids) expect(await deliveriesOf(id)).toEqual([]);
});

test("stored data of a buyer is encrypted", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "sealed", withDocument: true });
  const { saleId } = await buy(product.id);
  await sendQueued(webhook, saleId);
  const [arrival] = await app.sandbox.arrivals("sealed");
  expect(JSON.parse(arrival!.body).data.customer.document).toBe("52998224725");
  const stored = JSON.stringify(await sql`select * from deliveries where destination_id = ${webhook}`);
  expect(stored).not.toMatch(/Bia Compradora|bia@|52998224725|987654321/);
});

test("two webhooks of one seller are delivered separately", async () => {
  const { seller, product } = await openShop();
  const [first, second] = [
    await makeWebhook(seller, { name: "deaf" }),
    await makeWebhook(seller, { name: "hears" }),
  ];
  await app.sandbox.fault({ service: "receiver", route: "deaf", mode: "http-500", times: 5 });
  const { saleId } = await buy(product.id);
  await Promise.all([sendQueued(first, saleId), sendQueued(second, saleId)]);
  expect((await deliveriesOf(second)).map(({ status }) => status)).toEqual(["sent", "sent"]);
  expect((await deliveriesOf(first)).map(({ status }) => status)).toEqual(["queued", "queued"]);
});

test("a code cancelled by the provider, and one that expires, are delivered; those of a paid sale are not", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "ended", events: ["pix.expired", "sale.refused"] });
  const buyer = (email: string) => ({ customer: { name: "Bia", email, phone: null, document: null } });
  const cancelled = await buy(product.id, buyer("a@exemplo.com.br"));
  const expired = await buy(product.id, buyer("b@exemplo.com.br"));
  const paid = await buy(product.id, buyer("c@exemplo.com.br"));
  await endCharge(cancelled.chargeId, "cancelled");
  await endCharge(expired.chargeId, "expired");
  await sql`insert into charges (sale_id, seller_id, provider, reference, amount_cents, status, expires_at)
    values (${paid.saleId}, (select seller_id from sales where id = ${paid.saleId}), 'pushinpay', 'other', 9700, 'open', now())`;
  await pay(app, paid);
  const [other] = await sql`select id from charges where reference = 'other'`;
  await endCharge(other!.id, "expired");
  expect(await deliveriesOf(webhook)).toMatchObject([
    { event: "sale.refused", sale_id: cancelled.saleId },
    { event: "pix.expired", sale_id: expired.saleId },
  ]);
});

test("an order whose next code is refused, too, is delivered again with that code, and stays one record at UTMify", async () => {
  const { seller, product } = await openTrackedShop();
  const webhook = await makeWebhook(seller, { name: "again", form: "kiwify", events: ["sale.refused"] });
  const { saleId, chargeId } = await buy(product.id);
  await endCharge(chargeId, "cancelled");
  const next = await startPix(saleId);
  await endCharge(next.chargeId, "cancelled");
  await sendQueued(webhook, saleId);
  const received = (await app.sandbox.arrivals("again")).map(({ body }) => JSON.parse(body));
  const codes = await sql`select pix_code from charges where sale_id = ${saleId} order by created_at`;
  expect(codes).toHaveLength(2);
  expect(received.map(({ order_status, pix_code }) => [order_status, pix_code])).toEqual(
    codes.map(({ pix_code }) => ["refused", pix_code]),
  );
  const states = await deliveriesOf(await utmifyOf(seller.id));
  expect(states.filter(({ event }) => event === "sale.refused")).toHaveLength(1);
});

test("an event that is rolled back is not delivered", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "rolled-back", events: ["sale.paid"] });
  const { saleId } = await buy(product.id);
  const move = { to: "completed" as const, at: new Date(), feeCents: null };
  await db
    .transaction(async (tx) => {
      await moveSale(tx, { id: saleId, sellerId: seller.id, status: "pending" }, move, "provider");
      throw new Error("rolled back");
    })
    .catch(() => undefined);
  expect(await deliveriesOf(webhook)).toEqual([]);
  expect(await nextAttempt(webhook, saleId)).toBeNull();
});

test("a webhook deleted while a sale is being booked does not block it, and gets nothing", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "deleted-meanwhile", events: ["pix.generated"] });
  const { saleId } = await buy(product.id);
  await deleteDestination("webhook", seller.id, webhook);
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "dropped", reason: "stopped" }]);
  expect(await app.sandbox.arrivals("deleted-meanwhile")).toEqual([]);
});

test("workers hear at once of what a sale queues, and where each line is sent alone, the lines follow in order", async () => {
  const { seller, product, bump } = await openShop();
  const webhook = await makeWebhook(seller, { name: "by-line", form: "kiwify", events: ["pix.generated"] });
  const notified: string[] = [];
  const { unlisten } = await sql.listen("due", (payload) => void notified.push(payload));
  const { saleId } = await buy(product.id, { bumpIds: [bump.id] });
  await until(() => notified.includes("deliveries"));
  await unlisten();
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([
    { part: 0, status: "sent", attempts: 1 },
    { part: 1, status: "sent", attempts: 1 },
  ]);
  const sold = (await app.sandbox.arrivals("by-line")).map(({ body }) => JSON.parse(body));
  expect(sold.map((order) => order.Product.product_name)).toEqual([product.name, bump.name]);
});

test("a state of an order that two queue in the same moment is queued once, and its sale is paid", async () => {
  const { seller, product } = await openTrackedShop();
  const bought = await buy(product.id);
  const { saleId } = bought;
  const utmify = await utmifyOf(seller.id);
  const { release } = await holdLock(
    (tx) => tx`insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event)
      values (${utmify}, ${seller.id}, ${saleId}, ${saleId}, ${saleId}, 'sale.paid')`,
  );
  const paid = pay(app, bought);
  try {
    await untilLockedOut();
  } finally {
    await release();
  }
  await paid;
  expect(await sql`select status from sales where id = ${saleId}`).toEqual([{ status: "completed" }]);
  const states = (await deliveriesOf(utmify)).filter(({ event }) => event === "sale.paid");
  expect(states).toHaveLength(1);
});
