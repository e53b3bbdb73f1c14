import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findCoupons } from "#app/domain/coupon/choose-coupon.server.ts";
import { resumeDestination } from "#app/domain/delivery/change-destination.server.ts";
import { resendDeliveries } from "#app/domain/delivery/resend-delivery.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { deliveriesOf, scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon } from "#tests/support/make.ts";
import { pixelForm, savePixel, showPixel, testPixel } from "#tests/support/rows/destinations.ts";
import { makePixel, PIXEL_TOKEN } from "#tests/support/rows/make-destination.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

const KINDS = ["meta", "ga4", "tiktok", "kwai"] as const;
const AGREED = {
  adAnswer: { adConsent: true, adIds: { agent: "Mozilla/5.0", fbp: "fb.0.1767225600000.1" } },
  campaign: { fbclid: "IwAR0abc123", click_id: "kwai-1" },
};

/** A sale whose PIX was made, by a buyer who consented. */
async function soldBy(kind: (typeof KINDS)[number], more: object = {}, pixelId = `${Date.now()}`) {
  const shop = await openShop();
  const pixel = await makePixel(shop.seller, kind, {
    pixelId: kind === "ga4" ? `G-${pixelId}` : pixelId,
    ...more,
  });
  const bought = await buy(shop.product.id, AGREED);
  const delivered = async () =>
    (await app.sandbox.conversions(kind)).filter((one) => one.pixel.endsWith(pixelId));
  return { ...shop, ...bought, bought, pixel, delivered };
}

test.each([
  ["meta", ["InitiateCheckout", "AddPaymentInfo", "Purchase"]],
  ["ga4", ["begin_checkout", "add_payment_info", "purchase", "refund"]],
  ["tiktok", ["InitiateCheckout", "AddPaymentInfo", "CompletePayment"]],
  ["kwai", ["EVENT_INITIATED_CHECKOUT", "EVENT_PURCHASE"]],
] as const)("%s accepts all events of a sale from order to refund, in order", async (kind, events) => {
  const { seller, bought, saleId, pixel, delivered } = await soldBy(kind);
  await pay(app, bought);
  const sale = { id: saleId, sellerId: seller.id, status: "completed" } as const;
  await db.transaction((tx) => moveSale(tx, sale, { to: "refunded", refundedCents: 9700 }, "seller"));
  await sendQueued(pixel, saleId);
  expect((await delivered()).map(({ event }) => event)).toEqual(events);
  expect((await deliveriesOf(pixel)).map(({ status }) => status)).toEqual(events.map(() => "sent"));
});

test.each(KINDS)(
  "%s receives what was paid after a coupon's discount, of each line and in all",
  async (kind) => {
    const { seller, product, bump } = await openShop();
    await makeCoupon(seller, { percent: 50, includesBumps: true });
    const pixelId = kind === "ga4" ? "G-COUPON" : `${Date.now()}`;
    const pixel = await makePixel(seller, kind, { pixelId, events: ["sale.paid"] });
    const [coupon] = await findCoupons(seller.id, ["MENOS10"]);
    const bought = await buy(product.id, { ...AGREED, bumpIds: [bump.id], coupon: coupon! });
    await pay(app, bought);
    await sendQueued(pixel, bought.saleId);
    const body = JSON.stringify(
      (await app.sandbox.conversions(kind)).find((one) => one.pixel.endsWith(pixelId)),
    );
    expect(body.replaceAll("\\", "")).toMatch(/"value":58\.45\b/);
    if (kind !== "kwai") expect(body).toMatch(/price":48\.5\b.*price":9\.95\b/);
    expect(body).not.toMatch(/116\.9|:97\b|19\.9\b/);
  },
);

test.each(["meta", "tiktok"] as const)("what %s received with a lost answer counts once", async (kind) => {
  const { bought, saleId, pixel, delivered } = await soldBy(kind, { events: ["sale.paid"] });
  await pay(app, bought);
  await app.sandbox.fault({ service: kind, mode: "reset", after: true });
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "queued", reason: "network" }]);
  await scheduleNow(pixel);
  await sendQueued(pixel, saleId);
  expect((await delivered()).map(({ counted }) => counted)).toEqual([true, false]);
});

test("an attempt whose worker died between call and note is a duplicate that GA4 recognizes by the purchase", async () => {
  const { bought, saleId, pixel, delivered } = await soldBy("ga4", { events: ["sale.paid"] });
  await pay(app, bought);
  await sendQueued(pixel, saleId);
  await sql`update deliveries set status = 'queued', leased_until = now() - interval '1 second' where destination_id = ${pixel}`;
  await sendQueued(pixel, saleId);
  expect((await delivered()).map(({ counted }) => counted)).toEqual([true, false]);
});

test("a buyer who did not consent is reported only to GA4, and the log states why", async () => {
  const { seller, product } = await openShop();
  const pixels = await Promise.all(
    KINDS.map((kind) => makePixel(seller, kind, { events: ["checkout.started"] })),
  );
  const { saleId } = await buy(product.id, { ...AGREED, adAnswer: { adConsent: false, adIds: null } });
  for (const pixel of pixels) await sendQueued(pixel, saleId);
  const ends = await Promise.all(pixels.map(async (pixel) => (await deliveriesOf(pixel))[0]));
  expect(ends.map((one) => [one!.status, one!.reason])).toEqual([
    ["dropped", "no-consent"],
    ["sent", "taken"],
    ["dropped", "no-consent"],
    ["dropped", "no-consent"],
  ]);
});

test("a buyer who consented to one service is reported to no other one that is connected later", async () => {
  const { seller, product } = await openShop();
  const adIds = { ...AGREED.adAnswer.adIds, ga: "GA1.1.12.34", kinds: ["meta"] };
  const code = `${Date.now()}3`;
  const pixels = await Promise.all(
    KINDS.map((kind) =>
      makePixel(seller, kind, {
        pixelId: kind === "ga4" ? `G-${code}` : code,
        events: ["checkout.started"],
      }),
    ),
  );
  const { saleId } = await buy(product.id, { ...AGREED, adAnswer: { adConsent: true, adIds } });
  for (const pixel of pixels) await sendQueued(pixel, saleId);
  const ends = await Promise.all(pixels.map(async (pixel) => (await deliveriesOf(pixel))[0]!.reason));
  expect(ends).toEqual(["taken", "taken", "no-consent", "no-consent"]);
  const [ga4] = await deliveriesOf(pixels[1]!);
  const body = JSON.parse(unseal(ga4!.body_sealed));
  expect(body.consent).toEqual({ ad_user_data: "DENIED", ad_personalization: "DENIED" });
  expect(body.client_id).not.toBe("12.34");
});

test.each([
  ["meta", 7 * 24],
  ["ga4", 72],
  ["tiktok", 7 * 24],
] as const)("an event too old for %s is not sent, and does not block newer ones", async (kind, hours) => {
  const { pixel, saleId, delivered } = await soldBy(kind, {
    events: ["checkout.started", "pix.generated"],
  });
  await sql`update deliveries set created_at = now() - make_interval(hours => ${hours})
    where destination_id = ${pixel} and event = 'checkout.started'`;
  await sendQueued(pixel, saleId);
  expect((await deliveriesOf(pixel)).map(({ status }) => status)).toEqual(["too_late", "sent"]);
  expect(await delivered()).toHaveLength(1);
});

test.each(["meta", "tiktok"] as const)(
  "%s refusing the token stops the pixel and mails its seller once; once fixed, missed events are sent",
  async (kind) => {
    const { seller, pixel, saleId, delivered } = await soldBy(kind);
    await sql`update destinations set token_sealed = null where id = ${pixel}`;
    await sendQueued(pixel, saleId);
    expect(await deliveriesOf(pixel)).toMatchObject([
      { status: "refused", reason: "token" },
      { status: "dropped", reason: "stopped" },
    ]);
    const mails =
      await sql`select id from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
    expect(mails).toHaveLength(1);
    const [good] =
      await sql`select token_sealed from destinations where id = ${await makePixel(seller, kind)}`;
    await sql`update destinations set token_sealed = ${good!.token_sealed} where id = ${pixel}`;
    await resumeDestination("pixel", seller.id, pixel);
    await resendDeliveries("pixel", seller.id, pixel, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: false,
    });
    await sendQueued(pixel, saleId);
    expect(await delivered()).toHaveLength(2);
  },
);

test.each([
  ["meta", "http-500"],
  ["meta", "http-429"],
  ["meta", "malformed"],
  ["ga4", "http-500"],
  ["tiktok", "http-500"],
  ["tiktok", "malformed"],
  ["kwai", "http-500"],
] as const)("after %s's %s the same event comes again with the same id", async (kind, mode) => {
  const { pixel, saleId, delivered } = await soldBy(kind, { events: ["checkout.started"] });
  await app.sandbox.fault({ service: kind, mode });
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "queued", attempts: 1 }]);
  await scheduleNow(pixel);
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "sent", attempts: 2 }]);
  expect(await delivered()).toHaveLength(1);
});

test.each(KINDS)("what failed at %s for a wrong code is sent again to the corrected one", async (kind) => {
  const { pixel, saleId, delivered } = await soldBy(kind, { events: ["checkout.started"] });
  await app.sandbox.fault({ service: kind, mode: "http-500" });
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "queued", attempts: 1 }]);
  const right = `${kind === "ga4" ? "G-" : ""}${Date.now()}7`;
  await sql`update destinations set settings = settings || ${sql.json({ pixelId: right })} where id = ${pixel}`;
  await scheduleNow(pixel);
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "sent", attempts: 2 }]);
  expect((await app.sandbox.conversions(kind)).filter((one) => one.pixel === right)).toHaveLength(1);
  expect(await delivered()).toEqual([]);
});

const PAUSED = { stoppedAt: new Date(), stoppedReason: "seller" as const };

test.each([
  ["was paused when the code was generated", PAUSED, null, "sent"],
  ["was not told of the code since it refused it", {}, "status-400", "sent"],
  ["was told of the code", {}, null, "dropped"],
] as const)(
  "a PIX that counts as a purchase, and is paid two days later, is counted then unless the pixel knows it: one that %s",
  async (_, fields, mode, status) => {
    const { seller, bought, saleId, pixel, delivered } = await soldBy("ga4", {
      ...{ events: ["pix.generated", "sale.paid"], countsPixSince: "2026-01-01T00:00:00Z" },
      ...fields,
    });
    if (mode) await app.sandbox.fault({ service: "ga4", mode });
    await sendQueued(pixel, saleId);
    await resumeDestination("pixel", seller.id, pixel);
    await pay(app, bought);
    await sql`update sales set created_at = now() - interval '48 hours' where id = ${saleId}`;
    await sendQueued(pixel, saleId);
    const paid = (await deliveriesOf(pixel)).at(-1);
    expect([paid!.event, paid!.status, paid!.reason]).toEqual([
      "sale.paid",
      status,
      status === "sent" ? "taken" : "said-before",
    ]);
    expect((await delivered()).map(({ event }) => event)).toEqual(["purchase"]);
  },
);

test("a payment two days later is counted by a pixel that was told of the order, and not of its PIX", async () => {
  const { bought, saleId, pixel, delivered } = await soldBy("ga4", {
    events: ["checkout.started", "sale.paid"],
    countsPixSince: "2026-01-01T00:00:00Z",
  });
  await sendQueued(pixel, saleId);
  await pay(app, bought);
  await sql`update sales set created_at = now() - interval '48 hours' where id = ${saleId}`;
  await sendQueued(pixel, saleId);
  expect((await deliveriesOf(pixel)).map(({ event, reason }) => [event, reason])).toEqual([
    ["checkout.started", "taken"],
    ["sale.paid", "taken"],
  ]);
  expect((await delivered()).map(({ event }) => event)).toEqual(["begin_checkout", "purchase"]);
});

test.each([
  ["refused the first one", "status-400", "taken"],
  ["counted the first one", null, "said-before"],
] as const)(
  "a second PIX two days after the order is its purchase once: at a pixel that %s",
  async (_, mode, reason) => {
    const counting = { events: ["pix.generated"], countsPixSince: "2026-01-01T00:00:00Z" };
    const { saleId, pixel, delivered } = await soldBy("ga4", counting);
    if (mode) await app.sandbox.fault({ service: "ga4", mode });
    await sendQueued(pixel, saleId);
    await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId}`;
    await startPix(saleId);
    await sql`update sales set created_at = now() - interval '48 hours' where id = ${saleId}`;
    await sendQueued(pixel, saleId);
    expect((await deliveriesOf(pixel)).map((one) => one.event)).toEqual(["pix.generated", "pix.generated"]);
    expect((await deliveriesOf(pixel)).at(-1)!.reason).toBe(reason);
    expect((await delivered()).map(({ event }) => event)).toEqual(["purchase"]);
  },
);

/** Saves whether a PIX counts as a purchase, as the pixel's form does. */
async function setCounting(sellerId: string, pixel: string, counts_pix: boolean) {
  const { kind, name, token, events, pixelId: pixel_id } = await showPixel(sellerId, pixel);
  const form = pixelForm.parse({ kind, name, token, events, pixel_id, counts_pix });
  await savePixel(sellerId, pixel, form, undefined);
}

test.each([
  ["off", [false]],
  ["off and on", [false, true]],
])(
  "a PIX that counted as a purchase is not counted again two days later, though that was switched %s",
  async (_, switched) => {
    const { seller, bought, saleId, pixel, delivered } = await soldBy("ga4", {
      events: ["pix.generated", "sale.paid"],
      countsPixSince: "2026-01-01T00:00:00Z",
    });
    await sendQueued(pixel, saleId);
    for (const counts of switched) await setCounting(seller.id, pixel, counts);
    await pay(app, bought);
    await sql`update sales set created_at = now() - interval '48 hours' where id = ${saleId}`;
    await sendQueued(pixel, saleId);
    expect((await deliveriesOf(pixel)).at(-1)).toMatchObject({ event: "sale.paid", reason: "said-before" });
    expect((await delivered()).map(({ event }) => event)).toEqual(["purchase"]);
  },
);

test("a PIX from after the switch is the purchase of an order from before it, once", async () => {
  const { seller, saleId, pixel, delivered } = await soldBy("ga4", {
    events: ["pix.generated", "sale.paid"],
  });
  await sendQueued(pixel, saleId);
  await setCounting(seller.id, pixel, true);
  await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId}`;
  const { chargeId } = await startPix(saleId);
  await sql`update sales set created_at = now() - interval '48 hours' where id = ${saleId}`;
  await sendQueued(pixel, saleId);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await pay(app, { chargeId, providerId: charge!.provider_id });
  await sendQueued(pixel, saleId);
  expect((await deliveriesOf(pixel)).at(-1)).toMatchObject({ event: "sale.paid", reason: "said-before" });
  expect((await delivered()).map(({ event }) => event)).toEqual(["add_payment_info", "purchase"]);
});

test("a refusal inside TikTok's 200 counts as one, with its own message", async () => {
  const { pixel, saleId } = await soldBy("tiktok", { events: ["checkout.started"] });
  await app.sandbox.fault({
    service: "tiktok",
    mode: "status-200",
    body: { code: 40002, message: "Invalid pixel" },
  });
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([
    { status: "refused", reason: "rejected", response_status: 200 },
  ]);
});

test("no token is stored in the log, whatever is answered", async () => {
  const { pixel, saleId } = await soldBy("meta", { events: ["checkout.started"] });
  const body = { error: { code: 100, message: `bad ${PIXEL_TOKEN}` } };
  await app.sandbox.fault({ service: "meta", mode: "status-400", body });
  await sendQueued(pixel, saleId);
  const [delivery] = await deliveriesOf(pixel);
  expect(delivery!.response_body).toContain("[oculto]");
  expect(JSON.stringify(delivery)).not.toContain(PIXEL_TOKEN);
});

test("a test with a wrong token stops nothing: the seller sees the result", async () => {
  const { seller } = await openShop();
  const pixel = await makePixel(seller, "meta", { tokenSealed: null });
  const { status, text: words } = await testPixel(seller.id, pixel, "sale.paid", "TEST1");
  expect([status, words.text]).toEqual(["refused", expect.stringContaining("não aceita o token")]);
  const [row] = await sql`select stopped_at from destinations where id = ${pixel}`;
  expect(row!.stopped_at).toBe(null);
});

test("sales sent to four services that fail at random all arrive, in order, and count once where duplicates are known", async () => {
  const { seller, product } = await openShop();
  const code = "5550005550";
  const count = EVERY_WAY ? 8 : 4;
  const pixels: string[] = [];
  for (const kind of KINDS)
    pixels.push(await makePixel(seller, kind, { pixelId: kind === "ga4" ? `G-${code}` : code }));
  const saleIds: string[] = [];
  for (let n = 0; n < count; n++) {
    const customer = { name: "Bia", email: `r${n}@exemplo.com.br`, phone: null, document: null };
    const bought = await buy(product.id, { ...AGREED, customer });
    await pay(app, bought);
    saleIds.push(bought.saleId);
  }
  const waiting = () => sql`select 1 from deliveries where status = 'queued' and seller_id = ${seller.id}`;
  const modes = ["http-500", "reset", "http-429", "malformed"] as const;
  let rounds = 0;
  await until(
    async () => {
      // Fewer rounds than attempts: no delivery is given up.
      if (rounds++ < 8)
        for (const service of KINDS) {
          const mode = modes[Math.floor(Math.random() * modes.length)]!;
          const after = Math.random() < 0.5;
          await app.sandbox.fault({ service, mode, after, times: 1 + Math.floor(3 * Math.random()) });
        }
      await Promise.all(pixels.flatMap((pixel) => saleIds.map((saleId) => sendQueued(pixel, saleId))));
      for (const pixel of pixels) await scheduleNow(pixel);
      return (await waiting()).length === 0;
    },
    { what: "everything to be told" },
  );
  for (const pixel of pixels)
    expect((await deliveriesOf(pixel)).every(({ status }) => status === "sent")).toBe(true);
  for (const service of KINDS) await app.sandbox.endFaults(service);
  const events = (await app.sandbox.conversions()).filter((one) => one.pixel.endsWith(code));
  const counted = (service: string, name: string) =>
    events.filter((one) => one.service === service && one.event === name && one.counted).length;
  expect(counted("meta", "Purchase")).toBe(count);
  expect(counted("tiktok", "CompletePayment")).toBe(count);
  // A 2xx leaves no record: nobody knows what "malformed" hid from the service.
  expect(counted("ga4", "purchase")).toBeLessThanOrEqual(count);
  for (const saleId of saleIds) {
    const own = events.filter(({ service, id }) => service === "meta" && id.endsWith(saleId));
    const firsts = [...new Set(own.map(({ event }) => event))];
    expect(firsts).toEqual(["InitiateCheckout", "AddPaymentInfo", "Purchase"]);
  }
});

test("a test calls the test or debug endpoint, and counts nothing where the service separates tests", async () => {
  const { seller } = await openShop();
  for (const kind of KINDS) {
    const pixel = await makePixel(seller, kind);
    const code = kind === "ga4" ? "" : "TEST12345";
    expect(await testPixel(seller.id, pixel, "sale.paid", code)).toMatchObject({ status: "sent" });
    if (code)
      await expect(testPixel(seller.id, pixel, "sale.paid", "")).rejects.toMatchObject({ kind: "invalid" });
  }
  expect(
    (await app.sandbox.conversions()).filter(({ isTest }) => isTest).map(({ service }) => service),
  ).toEqual(["meta", "tiktok", "kwai"]);
  const wrong = await makePixel(seller, "ga4", { tokenSealed: null });
  expect(await testPixel(seller.id, wrong, "sale.paid", "")).toMatchObject({
    status: "refused",
    text: { text: "Recusado pelo serviço. Resposta do serviço: “Api_secret is invalid.”" },
  });
});

test("a buyer who reorders without consent is not reported any more", async () => {
  const { seller, product } = await openShop();
  const pixel = await makePixel(seller, "meta");
  const first = await buy(product.id, AGREED);
  const again = await buy(product.id, { ...AGREED, adAnswer: { adConsent: false, adIds: null } });
  expect(again.saleId).toBe(first.saleId);
  await sendQueued(pixel, first.saleId);
  expect((await deliveriesOf(pixel)).map(({ reason }) => reason)).toEqual(["no-consent", "no-consent"]);
  const [sale] = await sql`select ad_consent, ad_ids from sales where id = ${first.saleId}`;
  expect(sale).toEqual({ ad_consent: false, ad_ids: null });
});

test("a buyer who consents with the second submit is reported to Kwai with the click of that one", async () => {
  const { seller, product } = await openShop();
  const pixel = await makePixel(seller, "kwai", { events: ["checkout.started"] });
  const { saleId } = await buy(product.id, { adAnswer: { adConsent: false, adIds: null } });
  const buyerContext = { client: "bia", userAgent: "test", placedSaleIds: [saleId] };
  expect((await buy(product.id, { ...AGREED, buyerContext })).saleId).toBe(saleId);
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "sent", reason: "taken" }]);
});

test("a buyer who takes the consent back after a failed attempt is not reported by the next one", async () => {
  const { saleId, product, pixel, delivered } = await soldBy("meta", { events: ["checkout.started"] });
  await app.sandbox.fault({ service: "meta", mode: "http-500" });
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "queued", attempts: 1 }]);
  await buy(product.id, { ...AGREED, adAnswer: { adConsent: false, adIds: null } });
  await scheduleNow(pixel);
  await sendQueued(pixel, saleId);
  expect(await deliveriesOf(pixel)).toMatchObject([{ status: "dropped", reason: "no-consent" }]);
  expect(await delivered()).toEqual([]);
});
