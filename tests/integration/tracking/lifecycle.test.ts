import { expect, test } from "vitest";
import { acceptOffer } from "#app/domain/order/accept-offer.server.ts";
import { STATUS_AFTER } from "#app/domain/outbox/news.ts";
import { claimSubject } from "#app/domain/outbox/telling/claim-news.server.ts";
import { tellNews } from "#app/domain/outbox/telling/tell-news.server.ts";
import { findConnection } from "#app/domain/outbox/utmify/connection.server.ts";
import { saveTrackedProducts } from "#app/domain/outbox/utmify/product-list.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { resendTracking } from "#app/domain/sale/tracking/resend-tracking.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { makeDue, tell } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import {
  eventsOf,
  nextTry,
  openTrackedShop,
  orderOf,
  pay,
  tellUtmify,
  utmifyOf,
} from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeOffer, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";

const app = await startApp({ web: 0, worker: 0 });

test("an order goes out when its PIX exists and again when it is paid, whole, with bumps, fee and campaign", async () => {
  const { product, bump } = await openTrackedShop();
  const bought = await buy(product.id, {
    bumpIds: [bump.id],
    campaign: { utm_source: "FB", utm_campaign: "Verão|123", src: "bio", sck: "x|y", fbclid: "abc" },
  });
  await tellUtmify(bought.saleId);
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
  await tellUtmify(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect(order.violations).toEqual([]);
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.history[1]!.body.createdAt).toBe(order.history[0]!.body.createdAt);
  expect(order.body).toMatchObject({
    approvedDate: expect.stringMatching(/^\d{4}-/),
    commission: { totalPriceInCents: 11690, gatewayFeeInCents: 35, userCommissionInCents: 11655 },
  });
});

test("the buyer is not readable where the order is kept", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await tellUtmify(saleId);
  const rows = await sql`select * from outbox where sale_id = ${saleId}`;
  expect(rows).toMatchObject([{ status: "sent" }]);
  for (const kept of ["52998224725", "Bia Compradora", "bia@"])
    expect(unseal(rows[0]!.body_sealed)).toContain(kept);
  const kept = JSON.stringify(rows);
  expect(kept).not.toMatch(/52998224725|Bia Compradora|bia@/);
});

test("an unknown ip is left out", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id, { ip: null });
  await tellUtmify(saleId);
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
  await sql`insert into offer_showings (sale_id, seller_id, offer_id, expires_at) values (${bought.saleId}, (select seller_id from sales where id = ${bought.saleId}), ${offer.id}, now() + interval '1 hour')`;
  const { saleId } = await acceptOffer({
    saleId: bought.saleId,
    offerId: offer.id,
    placer: { client: "bia" },
  });
  await startPix(saleId);
  await tellUtmify(saleId);
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
  await Promise.all([tellUtmify(bought.saleId), tellUtmify(bought.saleId), tellUtmify(bought.saleId)]);
  await tellUtmify(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.violations).toEqual([]);
});

test.each(["http-500", "http-429", "reset"] as const)(
  "%s is tried again after a pause and then taken",
  async (mode) => {
    const { product, seller } = await openTrackedShop();
    const { saleId } = await buy(product.id);
    await app.sandbox.fault({ service: "utmify", mode });
    await tellUtmify(saleId);
    expect(await eventsOf(saleId)).toMatchObject([{ status: "queued", attempts: 1 }]);
    expect((await nextTry(saleId))!.getTime()).toBeGreaterThan(Date.now() + 500);
    await makeDue(await utmifyOf(seller.id));
    await tellUtmify(saleId);
    expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", attempts: 2, response_status: 200 }]);
  },
);

test("an answer lost after UTMify took the order is sent again as the same state and breaks nothing", async () => {
  const { product, seller } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "reset", after: true });
  await tellUtmify(saleId);
  await makeDue(await utmifyOf(seller.id));
  await tellUtmify(saleId);
  expect((await orderOf(app, saleId))!.violations).toEqual([]);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent" }]);
});

test("rubbish with a 200 counts as taken", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "malformed" });
  await tellUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", response_body: '{"id":"9c1f' }]);
});

test("a 4xx is never tried again and says why", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({
    service: "utmify",
    mode: "status-400",
    body: { "customer.ip": "customer.ip cannot be null" },
  });
  await tellUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([
    {
      status: "refused",
      why: "rejected",
      response_status: 400,
      response_body: expect.stringContaining("customer.ip"),
    },
  ]);
  expect(await nextTry(saleId)).toBe(null);
});

test("a newer state takes the place of an older one that cannot be told", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "dropped", why: "status" },
    { event: "sale.paid", status: "sent" },
  ]);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
});

test("once a newer state was attempted an older one is not told, though nobody heard the answer", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  const lost = { service: "utmify", mode: "reset", after: true } as const;
  await app.sandbox.fault(lost);
  await tellUtmify(bought.saleId);
  await pay(app, bought);
  await app.sandbox.fault(lost);
  await tellUtmify(bought.saleId);
  // The older one's next try is due first.
  await sql`update outbox set next_at = now() - interval '1 second', due_at = now() - interval '1 second'
    where sale_id = ${bought.saleId} and event = 'pix.generated'`;
  await tellUtmify(bought.saleId);
  await makeDue(await utmifyOf(seller.id));
  await tellUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual([
    "waiting_payment",
    "paid",
    "paid",
  ]);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "dropped", why: "outdated" },
    { event: "sale.paid", status: "sent" },
  ]);
});

test("an older state that comes late is dropped, not sent", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  await sql`update outbox set status = 'queued', due_at = date_trunc('milliseconds', now()) where sale_id = ${bought.saleId} and event = 'pix.generated'`;
  await tellUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.violations).toEqual([]);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { status: "dropped", why: "outdated" },
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
] as const)("%s of an order of %i hours ago is %s, however new the news", async (event, hours, status) => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const at = new Date(Date.now() - hours * HOUR);
  const refundedAt = event === "sale.refunded" ? at : null;
  await sql`update sales set status = ${STATUS_AFTER[event]}, created_at = ${at}, completed_at = ${at}, refunded_at = ${refundedAt}
    where id = ${saleId}`;
  await sql`update outbox set event = ${event} where sale_id = ${saleId}`;
  await tellUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status }]);
  const told = await orderOf(app, saleId);
  expect(told?.violations).toEqual(status === "sent" ? [] : undefined);
});

test("what is paid while an older state waits for its next try goes at once, and the older one is not told after it", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await tellUtmify(bought.saleId);
  await sql`update outbox set next_at = now() + interval '3 hours', due_at = date_trunc('milliseconds', now()) + interval '3 hours' where sale_id = ${bought.saleId}`;
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  await makeDue(await utmifyOf(seller.id));
  await tellUtmify(bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "pix.generated", status: "dropped", why: "outdated", attempts: 1 },
    { event: "sale.paid", status: "sent", attempts: 1 },
  ]);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
});

test("what UTMify heard counts while it is sent again: an older state is not told meanwhile", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await tellUtmify(bought.saleId);
  await sql`update outbox set next_at = now() + interval '3 hours', due_at = date_trunc('milliseconds', now()) + interval '3 hours' where sale_id = ${bought.saleId}`;
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  expect(await resendTracking(seller.id, bought.saleId)).toMatchObject({ success: false });
  await makeDue(await utmifyOf(seller.id));
  await tellUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid", "paid"]);
});

test("an order is told in the name that the source had when it was ordered", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await tellUtmify(bought.saleId);
  await makeTracking(seller, { sourceId: "minha-loja" });
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  const next = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await tellUtmify(next.saleId);
  expect((await orderOf(app, bought.saleId))!.body.platform).toBe("Checkintelli");
  expect((await orderOf(app, next.saleId))!.body.platform).toBe("MinhaLoja");
});

test("a seller who chose products before connecting has them left out from the start", async () => {
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
  await tellUtmify(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  expect((await startPix(saleId)).chargeId).not.toBe(chargeId);
  await tellUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ event: "pix.generated", status: "sent", attempts: 1 }]);
});

test("the token of the moment is used, whenever the order was queued", async () => {
  const { product, seller } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await tellUtmify(saleId);
  await makeTracking(seller, { token: "sandbox-outro" });
  await makeDue(await utmifyOf(seller.id));
  await tellUtmify(saleId);
  expect((await orderOf(app, saleId))!.token).toBe("sandbox-outro");
});

test("a connection that is removed has nothing more told by it, and one made anew hears of what comes then", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  const gone = await utmifyOf(seller.id);
  // As a closed account is emptied.
  await sql`update destinations set deleted_at = now(), stopped_at = now(), stopped_why = 'seller', settings = '{}',
    token_sealed = null where id = ${gone}`;
  await tell(gone, bought.saleId);
  expect(await eventsOf(bought.saleId)).toMatchObject([{ status: "dropped", why: "stopped" }]);
  await makeTracking(seller);
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  expect((await orderOf(app, bought.saleId))!.history.map((h) => h.body.status)).toEqual(["paid"]);
  expect(await sql`select token_sealed, settings from destinations where id = ${gone}`).toEqual([
    { token_sealed: null, settings: {} },
  ]);
});

test("a worker that was frozen before it sent does not send once another has told it", async () => {
  const { product, seller } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  const taken = await claimSubject({ destinationId: await utmifyOf(seller.id), subjectId: saleId });
  await sql`update outbox set claimed_until = now() - interval '1 second' where sale_id = ${saleId}`;
  await tellUtmify(saleId);
  await tellNews(taken!, readNews);
  expect((await orderOf(app, saleId))!.history).toHaveLength(1);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "sent", attempts: 1 }]);
});

test("two states that were taken in the same moment are not told at once: the later one waits", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  const destinationId = await utmifyOf(seller.id);
  const first = await claimSubject({ destinationId, subjectId: bought.saleId });
  // As another saw it who looked before that claim was written.
  await sql`update outbox set claimed_until = null, next_at = now() + interval '1 hour' where id = ${first!.news.id}`;
  const second = await claimSubject({ destinationId, subjectId: bought.saleId });
  await sql`update outbox set claimed_until = ${first!.news.claimedUntil}, next_at = null where id = ${first!.news.id}`;
  await Promise.all([tellNews(first!, readNews), tellNews(second!, readNews)]);
  await tellUtmify(bought.saleId);
  const order = (await orderOf(app, bought.saleId))!;
  expect([order.history.map((h) => h.body.status), order.violations]).toEqual([
    ["waiting_payment", "paid"],
    [],
  ]);
});

test("an order of which every sender died is given up after as many tries as any other", async () => {
  const { product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await sql`update outbox set attempts = 13 where sale_id = ${saleId}`;
  await tellUtmify(saleId);
  expect(await orderOf(app, saleId)).toBeUndefined();
  expect(await eventsOf(saleId)).toMatchObject([{ status: "refused", why: "lost" }]);
});

test("a PIX the provider refuses is reported as refused, and the next one that works is not a step back", async () => {
  const { product } = await openTrackedShop();
  await app.sandbox.fault({ service: "pushinpay", mode: "http-422", route: "cashIn" });
  await expect(buy(product.id)).rejects.toThrow();
  const [sale] = await sql`select id from sales where product_id = ${product.id}`;
  await tellUtmify(sale!.id);
  expect((await orderOf(app, sale!.id))!.status).toBe("refused");
  const { chargeId } = await startPix(sale!.id);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await tellUtmify(sale!.id);
  await pay(app, { chargeId, providerId: charge!.provider_id });
  await tellUtmify(sale!.id);
  const order = (await orderOf(app, sale!.id))!;
  expect([order.history.map((h) => h.body.status), order.violations]).toEqual([["refused", "paid"], []]);
});

test("an order is not sent once tracking was switched off", async () => {
  const { seller, product } = await openTrackedShop();
  const { saleId } = await buy(product.id);
  await makeTracking(seller, { enabled: false });
  await tellUtmify(saleId);
  expect(await eventsOf(saleId)).toMatchObject([{ status: "dropped", why: "stopped" }]);
});
