import { expect, test } from "vitest";
import { STATUS_AFTER } from "#app/domain/delivery/sale-notification.ts";
import { claimNextOfSubject } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { findConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { saveTrackedProducts } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { resendTracking } from "#app/domain/tracking/resend-tracking.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import {
  deliverToUtmify,
  eventsOf,
  nextAttempt,
  openTrackedShop,
  orderOf,
  pay,
  utmifyOf,
} from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

test("an order is sent when its PIX exists and again when it is paid, whole, with bumps, fee and campaign", async () => {
  const { product, bump } = await openTrackedShop();
  const bought = await buy(product.id, {
    bumpIds: [bump.id],
    campaign: { utm_source: "FB", utm_campaign: "Verão|123", src: "bio", sck: "x|y", fbclid: "abc" },
  });
  await deliverToUtmify(bought.saleId);
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
  await deliverToUtmify(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect(order.violations).toEqual([]);
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.history[1]!.body.createdAt).toBe(order.history[0]!.body.createdAt);
  expect(order.body).toMatchObject({
    approvedDate: expect.stringMatching(/^\d{4}-/),
    commission: { totalPriceInCents: 11690, gatewayFeeInCents: 35, userCommissionInCents: 11655 },
  });
});

test("the buyer is not readable where the order is stored", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await deliverToUtmify(saleId);
  const rows = await sql`select * from deliveries where sale_id = ${saleId}`;
  expect(rows).toMatchObject([{ status: "sent" }]);
  for (const stored of ["52998224725", "Bia Compradora", "bia@"])
    expect(unseal(rows[0]!.body_sealed)).toContain(stored);
  const stored = JSON.stringify(rows);
  expect(stored).not.toMatch(/52998224725|Bia Compradora|bia@/);
});

test("an unknown ip is left out", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id, { ip: null });
  await deliverToUtmify(saleId);
  const order = (await orderOf(app, saleId))!;
  expect([Object.keys(order.body.customer), order.violations]).toEqual([
    ["name", "email", "phone", "document", "country"],
    [],
  ]);
});

test("an accepted upsell is an order of its own", async () => {
  const { product } = await openTrackedShop();
  const upsell = await makeUpsell(product);
  const bought = await buy(product.id);
  await pay(app, bought);
  await sql`insert into upsell_showings (sale_id, seller_id, upsell_id, expires_at) values (${bought.saleId}, (select seller_id from sales where id = ${bought.saleId}), ${upsell.id}, now() + interval '1 hour')`;
  const { saleId } = await acceptUpsell({
    ...ANY_TERMS,
    saleId: bought.saleId,
    upsellId: upsell.id,
    buyerContext: { client: "bia" },
  });
  await startPix(saleId);
  await deliverToUtmify(saleId);
  expect((await orderOf(app, saleId))!.body).toMatchObject({
    orderId: saleId,
    status: "waiting_payment",
    products: [{ id: `offer-${upsell.id}`, name: "Mentoria em grupo", priceInCents: 19700 }],
  });
});

test("nothing is queued for a seller without a token, with tracking off, the purchase event off or the product off", async () => {
  const plain = await makeSeller();
  const off = await makeSeller();
  const deaf = await makeSeller();
  const tokenless = await makeSeller();
  await makeTracking(off, { enabled: false });
  await makeTracking(deaf, { events: { purchase: false, refund: true, chargeback: true } });
  await makeTracking(tokenless, { token: null });
  for (const seller of [plain, off, deaf, tokenless]) {
    await makeGateway(seller);
    const { saleId } = await buy((await makeProduct(seller)).id);
    expect(await eventsOf(saleId)).toEqual([]);
  }
  const { product } = await openTrackedShop();
  const before = await buy(product.id);
  expect(await eventsOf(before.saleId), "of a shop where all is on").toHaveLength(1);
  await saveTrackedProducts(product.sellerId, new Map([[product.id, false]]));
  const customer = { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null };
  const after = await buy(product.id, { customer });
  expect(after.saleId).not.toBe(before.saleId);
  expect(await eventsOf(after.saleId)).toEqual([]);
});

test("both states waiting at once go out in order, and a second delivery sends nothing", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await Promise.all([
    deliverToUtmify(bought.saleId),
    deliverToUtmify(bought.saleId),
    deliverToUtmify(bought.saleId),
  ]);
  await deliverToUtmify(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.violations).toEqual([]);
});

test.each(["http-500", "http-429", "reset"] as const)(
  "%s is retried after a pause and then accepted",
  async (mode) => {
    const { product, seller } = await openTrackedShop();
    const { saleId } = await buy(product.id);
    await app.sandbox.fault({ service: "utmify", mode });
    const before = Date.now();
    await deliverToUtmify(saleId);
    expect(await eventsOf(saleId)).toMatchObject([{ status: "queued", attempts: 1 }]);
    expect((await nextAttempt(saleId))!.getTime()).toBeGreaterThan(before + 500);
    await scheduleNow(await utmifyOf(seller.id));
    await deliverToUtmify(saleId);
    expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", attempts: 2, response_status: 200 }]);
  },
);

test("an answer lost after UTMify accepted the order is resent as the same state and breaks nothing", async () => {
  const { product, seller } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "reset", after: true });
  await deliverToUtmify(saleId);
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(saleId);
  expect((await orderOf(app, saleId))!.violations).toEqual([]);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent" }]);
});

test("an invalid body with a 200 counts as accepted", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "malformed" });
  await deliverToUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", response_body: '{"id":"9c1f' }]);
});

test("a 4xx is never retried and states why", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({
    service: "utmify",
    mode: "status-400",
    body: { "customer.ip": "customer.ip cannot be null" },
  });
  await deliverToUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([
    {
      status: "refused",
      reason: "rejected",
      response_status: 400,
      response_body: expect.stringContaining("customer.ip"),
    },
  ]);
  expect(await nextAttempt(saleId)).toBe(null);
});

test("a newer state supersedes an older one that cannot be delivered", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "dropped", reason: "status" },
    { event: "sale.paid", status: "sent" },
  ]);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
});

test("once a newer state was attempted an older one is not sent, though the answer was lost", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  const lost = { service: "utmify", mode: "reset", after: true } as const;
  await app.sandbox.fault(lost);
  await deliverToUtmify(bought.saleId);
  await pay(app, bought);
  await app.sandbox.fault(lost);
  await deliverToUtmify(bought.saleId);
  // The older one's retry is scheduled first.
  await sql`update deliveries set next_attempt_at = now() - interval '1 second', scheduled_at = now() - interval '1 second'
    where sale_id = ${bought.saleId} and event = 'pix.generated'`;
  await deliverToUtmify(bought.saleId);
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual([
    "waiting_payment",
    "paid",
    "paid",
  ]);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "dropped", reason: "outdated" },
    { event: "sale.paid", status: "sent" },
  ]);
});

test("a state that failed is sent again where a newer one was dropped before it was called with", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await sql`update deliveries set status = 'dropped', reason = 'stopped', scheduled_at = null
    where sale_id = ${bought.saleId} and event = 'sale.paid'`;
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(bought.saleId);
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "sent", attempts: 2 },
    { event: "sale.paid", status: "dropped", attempts: 0 },
  ]);
});

test("an older state that comes late is dropped, not sent", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  await sql`update deliveries set status = 'queued', scheduled_at = date_trunc('milliseconds', now()) where sale_id = ${bought.saleId} and event = 'pix.generated'`;
  await deliverToUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.violations).toEqual([]);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { status: "dropped", reason: "outdated" },
    { status: "sent" },
  ]);
});

test.each([
  ["sale.paid", 167, "sent"],
  ["sale.paid", 169, "too_late"],
  ["sale.refunded", 1079, "sent"],
  ["sale.refunded", 1081, "too_late"],
  ["sale.chargedback", 1079, "sent"],
  ["sale.chargedback", 1081, "too_late"],
] as const)("%s of an order of %i hours ago is %s, however new the event", async (event, hours, status) => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const at = new Date(Date.now() - hours * HOUR);
  const refundedAt = event === "sale.refunded" ? at : null;
  await sql`update sales set status = ${STATUS_AFTER[event]}, created_at = ${at}, completed_at = ${at}, refunded_at = ${refundedAt}
    where id = ${saleId}`;
  await sql`update deliveries set event = ${event} where sale_id = ${saleId}`;
  await deliverToUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status }]);
  const delivered = await orderOf(app, saleId);
  expect(delivered?.violations).toEqual(status === "sent" ? [] : undefined);
});

test("a payment while an older state waits for its retry is sent at once, and the older one is not sent after it", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(bought.saleId);
  await sql`update deliveries set next_attempt_at = now() + interval '3 hours', scheduled_at = date_trunc('milliseconds', now()) + interval '3 hours' where sale_id = ${bought.saleId}`;
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "dropped", reason: "outdated", attempts: 1 },
    { event: "sale.paid", status: "sent", attempts: 1 },
  ]);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
});

test("what UTMify received counts while it is resent: an older state is not sent meanwhile", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(bought.saleId);
  await sql`update deliveries set next_attempt_at = now() + interval '3 hours', scheduled_at = date_trunc('milliseconds', now()) + interval '3 hours' where sale_id = ${bought.saleId}`;
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  expect(await resendTracking(seller.id, bought.saleId)).toMatchObject({ success: false });
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid", "paid"]);
});

test("a state that UTMify took before is not said to be sent again where a newer one keeps it from being sent", async () => {
  const { product, seller } = await openTrackedShop();
  // Its code was refused after UTMify had it, and the buyer has another one.
  const sale = await makeSale(product, { status: "pending" });
  for (const event of ["pix.generated", "sale.refused"] as const)
    await makeDelivery(seller, await utmifyOf(seller.id), {
      ...{ saleId: sale.id, aboutId: sale.id, event, status: "sent", reason: "taken", responseStatus: 200 },
      ...{ attempts: 1, attemptLog: [{ at: new Date().toISOString(), result: "taken", status: 200, ms: 5 }] },
    });
  expect(await resendTracking(seller.id, sale.id)).toEqual({
    success: false,
    message: "Não enviado: um estado mais novo deste pedido tomou o lugar dele.",
  });
  expect(await orderOf(app, sale.id)).toBeUndefined();
  expect((await eventsOf(sale.id)).map(({ status }) => status)).toEqual(["sent", "sent"]);
});

test("a disputed sale is reported again as paid, which it is until the bank decides", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  await recordDispute(seller.id, bought.saleId);
  expect(await resendTracking(seller.id, bought.saleId)).toMatchObject({ success: true });
  expect((await orderOf(app, bought.saleId))!.history.at(-1)!.body.status).toBe("paid");
});

test("an order is sent with the source's name at the time of the order", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await deliverToUtmify(bought.saleId);
  await makeTracking(seller, { sourceId: "minha-loja" });
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  const next = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await deliverToUtmify(next.saleId);
  expect((await orderOf(app, bought.saleId))!.body.platform).toBe("Checkintelli");
  expect((await orderOf(app, next.saleId))!.body.platform).toBe("MinhaLoja");
});

test("a seller who chose products before connecting has them excluded from the start", async () => {
  const { seller, product } = await openShop();
  await saveTrackedProducts(seller.id, new Map([[product.id, false]]));
  expect(await findConnection(seller.id)).toMatchObject({ token: null, enabled: false });
  await makeTracking(seller);
  expect(await eventsOf((await buy(product.id)).saleId)).toEqual([]);
  await saveTrackedProducts(seller.id, new Map([[product.id, true]]));
  const customer = { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null };
  expect(await eventsOf((await buy(product.id, { customer })).saleId)).toHaveLength(1);
});

test("a second code of an order is no second waiting payment", async () => {
  const { product } = await openTrackedShop();
  const { saleId, chargeId } = await buy(product.id);
  await deliverToUtmify(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  expect((await startPix(saleId)).chargeId).not.toBe(chargeId);
  await deliverToUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ event: "pix.generated", status: "sent", attempts: 1 }]);
});

test("the token of the moment is used, whenever the order was queued", async () => {
  const { product, seller } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await deliverToUtmify(saleId);
  await makeTracking(seller, { token: "sandbox-outro" });
  await scheduleNow(await utmifyOf(seller.id));
  await deliverToUtmify(saleId);
  expect((await orderOf(app, saleId))!.token).toBe("sandbox-outro");
});

test("a removed connection gets nothing more, and a new one gets what comes then", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  const gone = await utmifyOf(seller.id);
  // As the anonymization of a closed account does.
  await sql`update destinations set deleted_at = now(), stopped_at = now(), stopped_reason = 'seller', settings = '{}',
    token_sealed = null where id = ${gone}`;
  await sendQueued(gone, bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([{ status: "dropped", reason: "stopped" }]);
  await makeTracking(seller);
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
  expect(await sql`select token_sealed, settings from destinations where id = ${gone}`).toEqual([
    { token_sealed: null, settings: {} },
  ]);
});

test("a worker frozen before its call sends nothing once another has sent it", async () => {
  const { product, seller } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const claimed = await claimNextOfSubject({ destinationId: await utmifyOf(seller.id), subjectId: saleId });
  await sql`update deliveries set leased_until = now() - interval '1 second' where sale_id = ${saleId}`;
  await deliverToUtmify(saleId);
  await sendDelivery(claimed!, readNotification);
  expect((await orderOf(app, saleId))!.history).toHaveLength(1);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", attempts: 1 }]);
});

test("two states claimed in the same moment are not sent at once: the later one waits", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  const destinationId = await utmifyOf(seller.id);
  const first = await claimNextOfSubject({ destinationId, subjectId: bought.saleId });
  // As another worker saw it before that claim was written.
  await sql`update deliveries set leased_until = null, next_attempt_at = now() + interval '1 hour' where id = ${first!.delivery.id}`;
  const second = await claimNextOfSubject({ destinationId, subjectId: bought.saleId });
  await sql`update deliveries set leased_until = ${first!.delivery.leasedUntil}, next_attempt_at = null where id = ${first!.delivery.id}`;
  await Promise.all([sendDelivery(first!, readNotification), sendDelivery(second!, readNotification)]);
  await deliverToUtmify(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect([order.history.map((h) => h.body.status), order.violations]).toEqual([
    ["waiting_payment", "paid"],
    [],
  ]);
});

test("an order all of whose senders died is given up after as many attempts as any other", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await sql`update deliveries set attempts = 13 where sale_id = ${saleId}`;
  await deliverToUtmify(saleId);
  expect(await orderOf(app, saleId)).toBeUndefined();
  expect(await eventsOf(saleId)).toMatchObject([{ status: "refused", reason: "lost" }]);
});

test("a PIX the provider refuses is reported as refused, and the next one that works is not a step back", async () => {
  const { product } = await openTrackedShop();
  await app.sandbox.fault({ service: "pushinpay", mode: "http-422", route: "cashIn" });
  await expect(buy(product.id)).rejects.toThrow();
  const [sale] = await sql`select id from sales where product_id = ${product.id}`;
  await deliverToUtmify(sale!.id);
  expect((await orderOf(app, sale!.id))!.status).toBe("refused");
  const { chargeId } = await startPix(sale!.id);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await deliverToUtmify(sale!.id);
  await pay(app, { chargeId, providerId: charge!.provider_id });
  await deliverToUtmify(sale!.id);
  const order = (await orderOf(app, sale!.id))!;
  expect([order.history.map((h) => h.body.status), order.violations]).toEqual([["refused", "paid"], []]);
});

test("an order is not sent once tracking was switched off", async () => {
  const { seller, product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await makeTracking(seller, { enabled: false });
  await deliverToUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "dropped", reason: "stopped" }]);
});
