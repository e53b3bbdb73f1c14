import { expect, test } from "vitest";
import { acceptOffer } from "#app/domain/order/accept-offer.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { deliverOrder } from "#app/domain/tracking/deliver-order.server.ts";
import { buy } from "#tests/integration/payments/support.ts";
import { eventsOf, nextTry, openTrackedShop, orderOf, pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeOffer, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/make-tracking.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

test("an order goes out when its PIX exists and again when it is paid, whole, with bumps, fee and campaign", async () => {
  const { product, bump } = await openTrackedShop();
  const bought = await buy(product.id, {
    bumpIds: [bump.id],
    campaign: { utm_source: "FB", utm_campaign: "Verão|123", src: "bio", sck: "x|y", fbclid: "abc" },
  });
  await deliverOrder(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.body).toEqual({
    orderId: bought.saleId,
    platform: "Checkintelli",
    paymentMethod: "pix",
    status: "waiting_payment",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    approvedDate: null,
    refundedAt: null,
    customer: {
      name: "Bia Compradora",
      email: "bia@exemplo.com.br",
      phone: "11987654321",
      document: "52998224725",
      country: "BR",
      ip: "203.0.113.7",
    },
    products: [
      {
        id: String(product.id),
        name: "Curso de Violão",
        planId: null,
        planName: null,
        quantity: 1,
        priceInCents: 9700,
      },
      {
        id: `bump-${bump.id}`,
        name: "Apostila de cifras",
        planId: null,
        planName: null,
        quantity: 1,
        priceInCents: 1990,
      },
    ],
    trackingParameters: {
      src: "bio",
      sck: "x|y",
      utm_source: "FB",
      utm_campaign: "Verão|123",
      utm_medium: null,
      utm_content: null,
      utm_term: null,
    },
    commission: {
      totalPriceInCents: 11690,
      gatewayFeeInCents: 0,
      userCommissionInCents: 11690,
      currency: "BRL",
    },
  });
  await pay(app, bought);
  await deliverOrder(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect(order.violations).toEqual([]);
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.history[1]!.body.createdAt).toBe(order.history[0]!.body.createdAt);
  expect(order.body).toMatchObject({
    approvedDate: expect.stringMatching(/^\d{4}-/),
    commission: { totalPriceInCents: 11690, gatewayFeeInCents: 35, userCommissionInCents: 11655 },
  });
});

test("the buyer's document is not readable where the order is kept", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const [row] = await sql`select payload::text from tracking_events where sale_id = ${saleId}`;
  expect(row!.payload).not.toContain("52998224725");
});

test("an unknown ip is left out", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id, { ip: null });
  await deliverOrder(saleId);
  const order = (await orderOf(app, saleId))!;
  expect([Object.keys(order.body.customer), order.violations]).toEqual([
    ["name", "email", "phone", "document", "country"],
    [],
  ]);
});

test("an accepted offer is an order of its own", async () => {
  const { product } = await openTrackedShop();
  const offer = await makeOffer(product);
  const bought = await buy(product.id);
  await pay(app, bought);
  await sql`insert into offer_showings (sale_id, offer_id, expires_at) values (${bought.saleId}, ${offer.id}, now() + interval '1 hour')`;
  const { saleId } = await acceptOffer({
    saleId: bought.saleId,
    offerId: offer.id,
    placer: { client: "bia" },
  });
  await startPix(saleId);
  await deliverOrder(saleId);
  expect((await orderOf(app, saleId))!.body).toMatchObject({
    orderId: saleId,
    status: "waiting_payment",
    products: [{ id: `offer-${offer.id}`, name: "Mentoria em grupo", priceInCents: 19700 }],
  });
});

test("nothing is queued for a seller without a token, with tracking off, the purchase event off or the product off", async () => {
  const plain = await makeSeller();
  const off = await makeSeller();
  const deaf = await makeSeller();
  const tokenless = await makeSeller();
  await makeTracking(off, { enabledAt: null });
  await makeTracking(deaf, { onPurchase: false });
  await makeTracking(tokenless, { apiTokenSealed: null });
  for (const seller of [plain, off, deaf, tokenless]) {
    await makeGateway(seller);
    const { saleId } = await buy((await makeProduct(seller)).id);
    expect(await eventsOf(saleId)).toEqual([]);
  }
  const { product } = await openTrackedShop();
  await sql`insert into tracking_products (product_id, is_enabled) values (${product.id}, false)`;
  expect(await eventsOf((await buy(product.id)).saleId)).toEqual([]);
});

test("both states waiting at once go out in order, and a second delivery sends nothing", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await Promise.all([deliverOrder(bought.saleId), deliverOrder(bought.saleId), deliverOrder(bought.saleId)]);
  await deliverOrder(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.violations).toEqual([]);
});

test.each(["http-500", "http-429", "reset"] as const)(
  "%s is tried again after a pause and then taken",
  async (mode) => {
    const { product } = await openTrackedShop();
    const { saleId } = await buy(product.id);
    await app.sandbox.fault({ service: "utmify", mode });
    await deliverOrder(saleId);
    expect(await eventsOf(saleId)).toMatchObject([{ status: "queued", attempts: 1 }]);
    expect((await nextTry(saleId))!.getTime()).toBeGreaterThan(Date.now() + 500);
    await deliverOrder(saleId);
    expect(await eventsOf(saleId)).toMatchObject([
      { status: "sent", attempts: 2, response_status: 200, note: null },
    ]);
  },
);

test("an answer lost after UTMify took the order is sent again as the same state and breaks nothing", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "reset", after: true });
  await deliverOrder(saleId);
  await deliverOrder(saleId);
  expect((await orderOf(app, saleId))!.violations).toEqual([]);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent" }]);
});

test("rubbish with a 200 counts as taken", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "malformed" });
  await deliverOrder(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", response_body: '{"id":"9c1f' }]);
});

test("a 4xx is never tried again and says why", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await sql`delete from graphile_worker._private_jobs`;
  await app.sandbox.fault({
    service: "utmify",
    mode: "status-400",
    body: { "customer.ip": "customer.ip cannot be null" },
  });
  await deliverOrder(saleId);
  expect(await eventsOf(saleId)).toMatchObject([
    {
      status: "failed",
      response_status: 400,
      response_body: expect.stringContaining("customer.ip"),
      note: expect.stringMatching(/recusou/),
    },
  ]);
  expect(await nextTry(saleId)).toBe(null);
});

test("a newer state takes the place of an older one that cannot be told", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await pay(app, bought);
  await deliverOrder(bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { state: "waiting_payment", status: "dropped", note: expect.stringMatching(/mais novo/) },
    { state: "paid", status: "sent" },
  ]);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
});

test("an older state that comes late is dropped, not sent", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await deliverOrder(bought.saleId);
  await sql`update tracking_events set status = 'queued' where sale_id = ${bought.saleId} and state = 'waiting_payment'`;
  await deliverOrder(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.violations).toEqual([]);
  expect(await eventsOf(bought.saleId)).toMatchObject([{ status: "dropped" }, { status: "sent" }]);
});

test.each([
  ["paid", 8, "dropped"],
  ["paid", 6, "sent"],
  ["refunded", 44, "sent"],
  ["refunded", 46, "dropped"],
  ["chargedback", 46, "dropped"],
])("a %s order of %i days ago is %s", async (state, days, status) => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const at = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
  await sql`update tracking_events set state = ${state}, payload = payload || ${sql.json({
    status: state,
    createdAt: at,
    approvedDate: at,
    refundedAt: state === "refunded" ? at : null,
  })} where sale_id = ${saleId}`;
  await deliverOrder(saleId);
  expect(await eventsOf(saleId)).toMatchObject([
    { status, note: status === "dropped" ? expect.stringMatching(/mais de \d+ dias/) : null },
  ]);
  expect((await orderOf(app, saleId))?.violations ?? []).toEqual([]);
});

test("a process that died while sending holds its order up for seconds, not for ever", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await sql`update tracking_events set claimed_until = now() + interval '15 seconds' where sale_id = ${saleId}`;
  await deliverOrder(saleId);
  expect(await orderOf(app, saleId)).toBeUndefined();
  expect((await nextTry(saleId))!.getTime()).toBeGreaterThan(Date.now() + 10_000);
  await sql`update tracking_events set claimed_until = now() - interval '1 second' where sale_id = ${saleId}`;
  await deliverOrder(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent" }]);
});

test("a worker that was frozen before it sent does not send once another has told it", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  let late: Promise<void> | undefined;
  await sql.begin(async (other) => {
    await other`lock table tracking_connections in access exclusive mode`;
    late = deliverOrder(saleId);
    await until(async () => (await eventsOf(saleId))[0]?.attempts === 1);
    await sql`update tracking_events set status = 'sent', attempts = 2, claimed_until = null where sale_id = ${saleId}`;
  });
  await late;
  expect(await orderOf(app, saleId)).toBeUndefined();
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", attempts: 2 }]);
});

test("a worker that was frozen past its claim gives the order up to whoever comes next", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  let late: Promise<void> | undefined;
  await sql.begin(async (other) => {
    await other`lock table tracking_connections in access exclusive mode`;
    late = deliverOrder(saleId);
    await until(async () => (await eventsOf(saleId))[0]?.attempts === 1);
    await sql`update tracking_events set attempts = 2, claimed_until = now() + interval '15 seconds' where sale_id = ${saleId}`;
  });
  await late;
  expect(await orderOf(app, saleId)).toBeUndefined();
  expect((await nextTry(saleId))!.getTime()).toBeGreaterThan(Date.now() + 10_000);
});

test("a worker whose answer is lost long after another told the order does not have it told again", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const heard = async () => (await app.sandbox.calls()).utmify.orders;
  const before = await heard();
  await app.sandbox.fault({ service: "utmify", mode: "timeout" });
  const late = deliverOrder(saleId);
  await until(async () => (await heard()) > before);
  await sql`update tracking_events set claimed_until = now() - interval '1 second' where sale_id = ${saleId}`;
  await deliverOrder(saleId);
  await sql`delete from graphile_worker._private_jobs`;
  await late;
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", attempts: 2, response_status: 200 }]);
  expect(await nextTry(saleId)).toBe(null);
  expect((await orderOf(app, saleId))!.history).toHaveLength(1);
});

test("an order of which every sender died is given up after as many tries as any other", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await sql`update tracking_events set attempts = 13 where sale_id = ${saleId}`;
  await deliverOrder(saleId);
  expect(await orderOf(app, saleId)).toBeUndefined();
  expect(await eventsOf(saleId)).toMatchObject([
    { status: "failed", note: expect.stringMatching(/13 tent/) },
  ]);
});

test("a PIX the provider refuses is reported as refused, and the next one that works is not a step back", async () => {
  const { product } = await openTrackedShop();
  await app.sandbox.fault({ service: "pushinpay", mode: "http-422", route: "cashIn" });
  await expect(buy(product.id)).rejects.toThrow();
  const [sale] = await sql`select id from sales where product_id = ${product.id}`;
  await deliverOrder(sale!.id);
  expect((await orderOf(app, sale!.id))!.status).toBe("refused");
  const { chargeId } = await startPix(sale!.id);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await deliverOrder(sale!.id);
  await pay(app, { chargeId, providerId: charge!.provider_id });
  await deliverOrder(sale!.id);
  const order = (await orderOf(app, sale!.id))!;
  expect([order.history.map((h) => h.body.status), order.violations]).toEqual([["refused", "paid"], []]);
});

test("an order is not sent once tracking was switched off", async () => {
  const { seller, product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await sql`update tracking_connections set enabled_at = null where seller_id = ${seller.id}`;
  await deliverOrder(saleId);
  expect(await eventsOf(saleId)).toMatchObject([
    { status: "dropped", note: expect.stringMatching(/desligado/) },
  ]);
});
