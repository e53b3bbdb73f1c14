import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { resumeDestination } from "#app/domain/outbox/change-destination.server.ts";
import { testPixel } from "#app/domain/outbox/pixel/test-pixel.server.ts";
import { resendSpan } from "#app/domain/outbox/resend-news.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { makeDue, newsOf, tell } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makePixel, PIXEL_TOKEN } from "#tests/support/rows/make-pixel.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

const KINDS = ["meta", "ga4", "tiktok", "kwai"] as const;
const AGREED = {
  answer: { adConsent: true, adIds: { agent: "Mozilla/5.0", fbp: "fb.0.1767225600000.1" } },
  campaign: { fbclid: "IwAR0abc123", click_id: "kwai-1" },
};

/** A sale whose PIX was made, by a buyer who agreed. */
async function soldBy(kind: (typeof KINDS)[number], more: object = {}, pixelId = `${Date.now()}`) {
  const shop = await openShop();
  const pixel = await makePixel(shop.seller, kind, {
    pixelId: kind === "ga4" ? `G-${pixelId}` : pixelId,
    ...more,
  });
  const bought = await buy(shop.product.id, AGREED);
  const told = async () => (await app.sandbox.conversions(kind)).filter((one) => one.pixel.endsWith(pixelId));
  return { ...shop, ...bought, bought, pixel, told };
}

test.each([
  ["meta", ["InitiateCheckout", "AddPaymentInfo", "Purchase"]],
  ["ga4", ["begin_checkout", "add_payment_info", "purchase", "refund"]],
  ["tiktok", ["InitiateCheckout", "AddPaymentInfo", "CompletePayment"]],
  ["kwai", ["EVENT_INITIATED_CHECKOUT", "EVENT_PURCHASE"]],
] as const)("%s takes all of a sale's life from order to refund, in order", async (kind, events) => {
  const { bought, saleId, pixel, told } = await soldBy(kind);
  await pay(app, bought);
  await db.transaction((tx) =>
    moveSale(tx, { id: saleId, status: "completed" }, { to: "refunded", refundedCents: 9700 }, "seller"),
  );
  await tell(pixel, saleId);
  expect((await told()).map(({ event }) => event)).toEqual(events);
  expect((await newsOf(pixel)).map(({ status }) => status)).toEqual(events.map(() => "sent"));
});

test.each(["meta", "tiktok"] as const)(
  "what %s heard, though we did not hear its answer, counts once",
  async (kind) => {
    const { bought, saleId, pixel, told } = await soldBy(kind, { events: ["sale.paid"] });
    await pay(app, bought);
    await app.sandbox.fault({ service: kind, mode: "reset", after: true });
    await tell(pixel, saleId);
    expect(await newsOf(pixel)).toMatchObject([{ status: "queued", why: "network" }]);
    await makeDue(pixel);
    await tell(pixel, saleId);
    expect((await told()).map(({ counted }) => counted)).toEqual([true, false]);
  },
);

test("a try whose worker died between the call and its note is a copy that GA4 knows by the purchase", async () => {
  const { bought, saleId, pixel, told } = await soldBy("ga4", { events: ["sale.paid"] });
  await pay(app, bought);
  await tell(pixel, saleId);
  await sql`update outbox set status = 'queued', claimed_until = now() - interval '1 second' where destination_id = ${pixel}`;
  await tell(pixel, saleId);
  expect((await told()).map(({ counted }) => counted)).toEqual([true, false]);
});

test("nobody but GA4 hears of a buyer who did not agree, and the log says why", async () => {
  const { seller, product } = await openShop();
  const pixels = await Promise.all(
    KINDS.map((kind) => makePixel(seller, kind, { events: ["checkout.started"] })),
  );
  const { saleId } = await buy(product.id, { ...AGREED, answer: { adConsent: false, adIds: null } });
  for (const pixel of pixels) await tell(pixel, saleId);
  const ends = await Promise.all(pixels.map(async (pixel) => (await newsOf(pixel))[0]));
  expect(ends.map((one) => [one!.status, one!.why])).toEqual([
    ["dropped", "no-consent"],
    ["sent", "taken"],
    ["dropped", "no-consent"],
    ["dropped", "no-consent"],
  ]);
});

test.each([
  ["meta", 7 * 24],
  ["ga4", 72],
  ["tiktok", 7 * 24],
] as const)(
  "what is too old for %s is not sent, and an older one holds up no younger",
  async (kind, hours) => {
    const { pixel, saleId, told } = await soldBy(kind, { events: ["checkout.started", "pix.generated"] });
    await sql`update outbox set created_at = now() - make_interval(hours => ${hours})
    where destination_id = ${pixel} and event = 'checkout.started'`;
    await tell(pixel, saleId);
    expect((await newsOf(pixel)).map(({ status }) => status)).toEqual(["too_late", "sent"]);
    expect(await told()).toHaveLength(1);
  },
);

test.each(["meta", "tiktok"] as const)(
  "%s refusing the token stops the pixel and mails its seller once; mended, what was missed is sent",
  async (kind) => {
    const { seller, pixel, saleId, told } = await soldBy(kind);
    await sql`update destinations set token_sealed = null where id = ${pixel}`;
    await tell(pixel, saleId);
    expect(await newsOf(pixel)).toMatchObject([
      { status: "refused", why: "token" },
      { status: "dropped", why: "stopped" },
    ]);
    const mails =
      await sql`select id from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
    expect(mails).toHaveLength(1);
    const [good] =
      await sql`select token_sealed from destinations where id = ${await makePixel(seller, kind)}`;
    await sql`update destinations set token_sealed = ${good!.token_sealed} where id = ${pixel}`;
    await resumeDestination("pixel", seller.id, pixel);
    await resendSpan("pixel", seller.id, pixel, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: false,
    });
    await tell(pixel, saleId);
    expect(await told()).toHaveLength(2);
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
  const { pixel, saleId, told } = await soldBy(kind, { events: ["checkout.started"] });
  await app.sandbox.fault({ service: kind, mode });
  await tell(pixel, saleId);
  expect(await newsOf(pixel)).toMatchObject([{ status: "queued", attempts: 1 }]);
  await makeDue(pixel);
  await tell(pixel, saleId);
  expect(await newsOf(pixel)).toMatchObject([{ status: "sent", attempts: 2 }]);
  expect(await told()).toHaveLength(1);
});

test("a no in TikTok's 200 is a no, in its own words", async () => {
  const { pixel, saleId } = await soldBy("tiktok", { events: ["checkout.started"] });
  await app.sandbox.fault({
    service: "tiktok",
    mode: "status-200",
    body: { code: 40002, message: "Invalid pixel" },
  });
  await tell(pixel, saleId);
  expect(await newsOf(pixel)).toMatchObject([{ status: "refused", why: "rejected", response_status: 200 }]);
});

test("no token is kept in the log, whatever is answered", async () => {
  const { pixel, saleId } = await soldBy("meta", { events: ["checkout.started"] });
  const body = { error: { code: 100, message: `bad ${PIXEL_TOKEN}` } };
  await app.sandbox.fault({ service: "meta", mode: "status-400", body });
  await tell(pixel, saleId);
  const [news] = await newsOf(pixel);
  expect(news!.response_body).toContain("[oculto]");
  expect(JSON.stringify(news)).not.toContain(PIXEL_TOKEN);
});

test("a token that a test finds wrong stops nothing: who tries it is looking", async () => {
  const { seller } = await openShop();
  const pixel = await makePixel(seller, "meta", { tokenSealed: null });
  const { status, words } = await testPixel(seller.id, pixel, "sale.paid", "TEST1");
  expect([status, words.text]).toEqual(["refused", expect.stringContaining("não aceita o token")]);
  const [row] = await sql`select stopped_at from destinations where id = ${pixel}`;
  expect(row!.stopped_at).toBe(null);
});

test("sales told to four that fail at random are all told, in order, and count once where copies are known", async () => {
  const { seller, product } = await openShop();
  const code = "5550005550";
  const pixels: string[] = [];
  for (const kind of KINDS)
    pixels.push(await makePixel(seller, kind, { pixelId: kind === "ga4" ? `G-${code}` : code }));
  const saleIds: string[] = [];
  for (let n = 0; n < 8; n++) {
    const customer = { name: "Bia", email: `r${n}@exemplo.com.br`, phone: null, document: null };
    const bought = await buy(product.id, { ...AGREED, customer });
    await pay(app, bought);
    saleIds.push(bought.saleId);
  }
  const waiting = () => sql`select 1 from outbox where status = 'queued' and seller_id = ${seller.id}`;
  const modes = ["http-500", "reset", "http-429", "malformed"] as const;
  let rounds = 0;
  await until(
    async () => {
      // Fewer rounds than there are tries: none is given up.
      if (rounds++ < 8)
        for (const service of KINDS) {
          const mode = modes[Math.floor(Math.random() * modes.length)]!;
          const after = Math.random() < 0.5;
          await app.sandbox.fault({ service, mode, after, times: 1 + Math.floor(3 * Math.random()) });
        }
      await Promise.all(pixels.flatMap((pixel) => saleIds.map((saleId) => tell(pixel, saleId))));
      for (const pixel of pixels) await makeDue(pixel);
      return (await waiting()).length === 0;
    },
    { seconds: 25, what: "everything to be told" },
  );
  for (const pixel of pixels)
    expect((await newsOf(pixel)).every(({ status }) => status === "sent")).toBe(true);
  for (const service of KINDS) await app.sandbox.endFaults(service);
  const events = (await app.sandbox.conversions()).filter((one) => one.pixel.endsWith(code));
  const counted = (service: string, name: string) =>
    events.filter((one) => one.service === service && one.event === name && one.counted).length;
  expect(counted("meta", "Purchase")).toBe(8);
  expect(counted("tiktok", "CompletePayment")).toBe(8);
  // Of what it answered with a 2xx it says nothing: what "malformed" hid from it nobody knows.
  expect(counted("ga4", "purchase")).toBeLessThanOrEqual(8);
  for (const saleId of saleIds) {
    const own = events.filter(({ service, id }) => service === "meta" && id.endsWith(saleId));
    const firsts = [...new Set(own.map(({ event }) => event))];
    expect(firsts).toEqual(["InitiateCheckout", "AddPaymentInfo", "Purchase"]);
  }
});

test("a test asks the test or debug door, and counts nothing where the service tells tests apart", async () => {
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
    words: { text: "Recusado pelo serviço. Resposta do serviço: “Api_secret is invalid.”" },
  });
});

test("who sends an order again without agreeing any more is told of no more", async () => {
  const { seller, product } = await openShop();
  const pixel = await makePixel(seller, "meta");
  const first = await buy(product.id, AGREED);
  const again = await buy(product.id, { ...AGREED, answer: { adConsent: false, adIds: null } });
  expect(again.saleId).toBe(first.saleId);
  await tell(pixel, first.saleId);
  expect((await newsOf(pixel)).map(({ why }) => why)).toEqual(["no-consent", "no-consent"]);
  const [sale] = await sql`select ad_consent, ad_ids from sales where id = ${first.saleId}`;
  expect(sale).toEqual({ ad_consent: false, ad_ids: null });
});
