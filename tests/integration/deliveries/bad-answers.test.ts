import { expect, test } from "vitest";
import { pauseDestination, resumeDestination } from "#app/domain/delivery/change-destination.server.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { resendDeliveries, resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { claimNextOfSubject } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { recordAttempt } from "#app/domain/delivery/sending/record-attempt.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { buildPaymentUrl, createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { deliveriesOf, nextAttempt, scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";
import { makeWebhook, SECRET } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A sale whose PIX is delivered to the receiver of this name. */
async function soldTo(name: string, events: string[] = ["pix.generated"]) {
  const shop = await openShop();
  const webhook = await makeWebhook(shop.seller, { name, events: events as never });
  const { saleId } = await buy(shop.product.id);
  return { ...shop, webhook, saleId };
}

test.each([
  ["http-500", { reason: "status", response_status: 500 }],
  ["http-429", { reason: "status", response_status: 429 }],
  ["status-404", { reason: "status", response_status: 404 }],
  ["status-302", { reason: "redirect", response_status: 302 }],
  ["reset", { reason: "network", response_status: 0 }],
] as const)(
  "after %s the same message comes again with the same id and a newer signature",
  async (mode, expected) => {
    const { webhook, saleId } = await soldTo(`bad-${mode}`);
    await app.sandbox.fault({ service: "receiver", route: `bad-${mode}`, mode });
    await sendQueued(webhook, saleId);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "queued", attempts: 1, ...expected }]);
    const next = (await nextAttempt(webhook, saleId))!.getTime() - Date.now();
    expect(next).toBeGreaterThan(2 * SECOND);
    expect(next).toBeLessThan(MINUTE);
    await scheduleNow(webhook);
    await sendQueued(webhook, saleId);
    expect(await deliveriesOf(webhook)).toMatchObject([
      { status: "sent", attempts: 2, response_status: 200 },
    ]);
    const [first, second, ...more] = await app.sandbox.arrivals(`bad-${mode}`);
    expect(more).toEqual([]);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(await app.sandbox.arrivals("elsewhere")).toEqual([]);
  },
);

test("later deliveries wait behind one that is being retried", async () => {
  const { webhook, saleId } = await soldTo("in-order", ["checkout.started", "pix.generated"]);
  await app.sandbox.fault({ service: "receiver", route: "in-order", mode: "http-500" });
  await sendQueued(webhook, saleId);
  await sendQueued(webhook, saleId);
  expect(await app.sandbox.arrivals("in-order")).toHaveLength(1);
  await scheduleNow(webhook);
  await sendQueued(webhook, saleId);
  const delivered = (await app.sandbox.arrivals("in-order")).map(({ body }) => JSON.parse(body).type);
  expect(delivered).toEqual(["checkout.started", "checkout.started", "pix.generated"]);
});

test("410 ends the webhook and mails its seller what is lost until it is resumed, and queued deliveries are not sent", async () => {
  const { webhook, saleId, seller, product } = await soldTo("gone", ["checkout.started", "pix.generated"]);
  await app.sandbox.fault({ service: "receiver", route: "gone", mode: "status-410", times: 9 });
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([
    { status: "refused", reason: "gone" },
    { status: "dropped", reason: "stopped" },
  ]);
  const [row] = await sql`select stopped_reason from destinations where id = ${webhook}`;
  expect(row!.stopped_reason).toBe("gone");
  await buy(product.id);
  expect(await deliveriesOf(webhook)).toHaveLength(2);
  const mails = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where seller_id = ${seller.id} and kind = 'destination-stopped'`,
  );
  expect(mails).toHaveLength(1);
  expect(mails[0]!.payload.html).toContain("não são avisadas, nem ficam no registro");
  expect(mails[0]!.payload.html).toContain(`href="${env.APP_URL}${paths.destination("webhook", webhook)}"`);
});

test("ten attempts over three days without a success pause it, and mail its seller once", async () => {
  const { webhook, saleId, seller } = await soldTo("silent");
  await app.sandbox.fault({ service: "receiver", route: "silent", mode: "http-500", times: 20 });
  const waits: number[] = [];
  for (let tries = 0; tries < 10; tries++) {
    await sendQueued(webhook, saleId);
    const next = await nextAttempt(webhook, saleId);
    if (next && tries < 9) waits.push(next.getTime() - Date.now());
    // Time passes: what failed first failed that much earlier.
    const ago = (waits[tries] ?? 0) / 1000;
    await sql`update destinations set failing_since = failing_since - make_interval(secs => ${ago}) where id = ${webhook}`;
    await scheduleNow(webhook);
  }
  expect(await app.sandbox.arrivals("silent")).toHaveLength(10);
  const all = waits.reduce((sum, wait) => sum + wait, 0);
  expect(all).toBeGreaterThan(3 * DAY);
  expect(all).toBeLessThan(3.6 * DAY);
  expect(waits.at(-1)).toBeGreaterThan(23 * HOUR);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "refused", reason: "status", attempts: 10 }]);
  const [row] = await sql`select stopped_reason from destinations where id = ${webhook}`;
  expect(row!.stopped_reason).toBe("failing");
  const mails =
    await sql`select kind from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
  expect(mails).toHaveLength(1);
});

test("a receiver's Retry-After applies to all sales", async () => {
  const { webhook, saleId, product } = await soldTo("busy");
  await app.sandbox.fault({ service: "receiver", route: "busy", mode: "http-429" });
  await sendQueued(webhook, saleId);
  const other = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await sendQueued(webhook, other.saleId);
  expect(await app.sandbox.arrivals("busy")).toHaveLength(1);
  expect((await nextAttempt(webhook, other.saleId))!.getTime()).toBeGreaterThan(Date.now() + 5 * SECOND);
});

test.each([4097, 100_000])(
  "an answer of %i bytes is read only to 4096, and our secrets are not stored with it",
  async (size) => {
    const { webhook, saleId } = await soldTo("long-answer");
    const body = `${SECRET} `.padEnd(size, "x");
    await app.sandbox.fault({ service: "receiver", route: "long-answer", mode: "status-200", body });
    await sendQueued(webhook, saleId);
    const [news] = await deliveriesOf(webhook);
    expect(news).toMatchObject({ status: "sent", response_status: 200 });
    expect(news!.response_body).toMatch(/^\[oculto\] xxx/);
    // Four kilobytes were read, the secret among them.
    expect(news!.response_body).toHaveLength(4096 - SECRET.length + "[oculto]".length);
  },
);

test("a receiver that repeats what it got leaves no key of a purchase in the log", async () => {
  const { webhook, saleId } = await soldTo("echo");
  const [sale] = await sql`select customer_email from sales where id = ${saleId}`;
  const key = createPurchaseKey(saleId, sale!.customer_email);
  const body = JSON.stringify({
    got: { pix: { url: buildPaymentUrl({ id: saleId }, sale!.customer_email) } },
  });
  await app.sandbox.fault({ service: "receiver", route: "echo", mode: "status-200", body });
  await sendQueued(webhook, saleId);
  const [sent] = await app.sandbox.arrivals("echo");
  expect(sent!.body).toContain(key);
  const [news] = await deliveriesOf(webhook);
  expect(news!.response_body).toContain(`/checkout/pix/${saleId}?chave=[oculto]`);
  expect(news!.response_body).not.toContain(key);
});

test("an internal address is refused and never called, though it was saved while it was public", async () => {
  const { webhook, saleId } = await soldTo("inside");
  await sql`update destinations set settings = settings || '{"url": "https://169.254.169.254/latest"}' where id = ${webhook}`;
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([
    { status: "refused", reason: "forbidden", response_status: 0 },
  ]);
});

test("failed deliveries are resent under the same id, one by one or by time span", async () => {
  const { webhook, saleId, seller } = await soldTo("again");
  await sendQueued(webhook, saleId);
  const [sent] = await deliveriesOf(webhook);
  await sql`update deliveries set status = 'refused', reason = 'status' where destination_id = ${webhook}`;
  await resendDelivery("webhook", seller.id, webhook, sent!.id);
  await sendQueued(webhook, saleId);
  const span = { from: new Date(Date.now() - HOUR), to: new Date() };
  expect(await resendDeliveries("webhook", seller.id, webhook, { ...span, all: false })).toBe(0);
  expect(await resendDeliveries("webhook", seller.id, webhook, { ...span, all: true })).toBe(1);
  await sendQueued(webhook, saleId);
  const arrivals = await app.sandbox.arrivals("again");
  expect(arrivals).toHaveLength(3);
  expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("deliveries queued when their webhook is paused are not sent, and can be resent later", async () => {
  const { webhook, saleId, seller } = await soldTo("paused-later");
  await pauseDestination("webhook", seller.id, webhook);
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "dropped", reason: "stopped" }]);
  const span = { from: new Date(Date.now() - HOUR), to: new Date(), all: false };
  await expect(resendDeliveries("webhook", seller.id, webhook, span)).rejects.toThrow("está pausado");
  await resumeDestination("webhook", seller.id, webhook);
  expect(await resendDeliveries("webhook", seller.id, webhook, span)).toBe(1);
  await sendQueued(webhook, saleId);
  expect(await app.sandbox.arrivals("paused-later")).toHaveLength(1);
});

test("resuming a webhook that is not paused leaves the pace at which its failing server is asked", async () => {
  const { webhook, seller } = await soldTo("failing-active");
  const pace = () =>
    sql`select failing_since, backoff_until from destinations where id = ${webhook} and backoff_until > now()`;
  await sql`update destinations set failing_since = now() - interval '1 hour', backoff_until = now() + interval '1 hour'
    where id = ${webhook}`;
  const before = await pace();
  await resumeDestination("webhook", seller.id, webhook);
  expect(before).toHaveLength(1);
  expect(await pace()).toEqual(before);
  await pauseDestination("webhook", seller.id, webhook);
  await resumeDestination("webhook", seller.id, webhook);
  expect(await pace()).toEqual([]);
});

test("a delivery that became too old ends as such", async () => {
  const { webhook, saleId } = await soldTo("late");
  await sql`update deliveries set created_at = now() - interval '31 days' where destination_id = ${webhook}`;
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "too_late" }]);
});

/** A worker that claimed a sale's delivery and slept until another claimed it. */
async function reclaimed(name: string) {
  const { webhook, saleId } = await soldTo(name);
  const which = { destinationId: webhook, subjectId: saleId };
  const asleep = (await claimNextOfSubject(which))!;
  await sql`update deliveries set leased_until = now() - interval '1 second' where destination_id = ${webhook}`;
  const other = (await claimNextOfSubject(which))!;
  expect(other.delivery.id).toBe(asleep.delivery.id);
  const row = async () => (await sql`select * from deliveries where destination_id = ${webhook}`)[0]!;
  return { webhook, asleep, other, row };
}

test("an expired lease is claimed by another, and the sleeper sends nothing, whether it wakes before or after the delivery", async () => {
  const { webhook, asleep, other, row } = await reclaimed("slept");
  const before = await row();
  expect(await sendDelivery(asleep, readNotification)).toBe(false);
  expect(await app.sandbox.arrivals("slept")).toEqual([]);
  expect(await row()).toEqual(before);
  await sendDelivery(other, readNotification);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  const delivered = await row();
  await sendDelivery(asleep, readNotification);
  expect(await app.sandbox.arrivals("slept")).toHaveLength(1);
  expect(await row()).toEqual(delivered);
});

test.each(["again", "refused", "gone"] as const)(
  "an answer “%s” to a worker that slept through its call changes nothing of another's claim",
  async (result) => {
    const { webhook, asleep, other, row } = await reclaimed(`answered-${result}`);
    const before = await row();
    const attempted = { verdict: { result, reason: "status" }, status: 500, body: "late", ms: 1 } as const;
    const isMore = await recordAttempt({
      ...asleep,
      body: "{}",
      kind: DESTINATIONS.webhook,
      outcome: attempted,
      now: new Date(),
    });
    expect(isMore).toBe(false);
    expect(await row()).toEqual(before);
    await sendDelivery(other, readNotification);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  },
);

test.each([
  [9, "sent", "taken", 1],
  [10, "refused", "lost", 0],
])(
  "an attempt whose worker died counts: after %i of them the delivery is %s, since ten are made",
  async (attempts, status, reason, arrived) => {
    const name = `died-${attempts}`;
    const { webhook, saleId } = await soldTo(name);
    await sql`update deliveries set attempts = ${attempts}, leased_until = now() - interval '1 second'
      where destination_id = ${webhook}`;
    await sendQueued(webhook, saleId);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status, reason, attempts: 10 }]);
    expect(await app.sandbox.arrivals(name)).toHaveLength(arrived);
  },
);
