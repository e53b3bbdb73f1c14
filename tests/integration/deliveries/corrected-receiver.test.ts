import { expect, test } from "vitest";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { claimNextOfSubject } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { recordAttempt } from "#app/domain/delivery/sending/record-attempt.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { listWebhooks } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { buyer, mailbox } from "#tests/integration/deliveries/open-school.ts";
import { deliveriesOf, nextAttempt, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import {
  memberForm,
  pixelForm,
  saveMemberArea,
  savePixel,
  saveWebhook,
} from "#tests/support/rows/destinations.ts";
import { MEMBER_KEY, makeMemberArea, makePixel, PIXEL_TOKEN } from "#tests/support/rows/make-destination.ts";
import { makeWebhook, receiverAt } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

/** It failed for two hours, and asked us to wait for another one. */
const FAILING = {
  failingSince: new Date(Date.now() - 2 * HOUR),
  backoffUntil: new Date(Date.now() + HOUR),
};

const paceOf = async (id: string) =>
  (await sql`select failing_since, backoff_until from destinations where id = ${id}`)[0]!;
const NO_PACE = { failing_since: null, backoff_until: null };
const OLD_PACE = { failing_since: FAILING.failingSince, backoff_until: FAILING.backoffUntil };

test("a webhook's corrected address gets at once what waits, and nothing that the wrong one asked for counts", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "wrong", events: ["checkout.started", "pix.generated"] });
  const { saleId } = await buy(product.id);
  await app.sandbox.fault({ service: "receiver", route: "wrong", mode: "http-429" });
  await sendQueued(webhook, saleId);
  await sql`update destinations set backoff_until = ${FAILING.backoffUntil} where id = ${webhook}`;
  await sql`update deliveries set next_attempt_at = ${FAILING.backoffUntil}, scheduled_at = ${FAILING.backoffUntil}
    where destination_id = ${webhook} and scheduled_at is not null`;
  const form = { name: "wrong", events: ["checkout.started", "pix.generated"] };
  await saveWebhook(
    seller.id,
    webhook,
    webhookForm.parse({ ...form, url: receiverAt("wrong"), name: "Outro nome" }),
    undefined,
  );
  expect((await nextAttempt(webhook, saleId))!.getTime()).toBeGreaterThan(Date.now());
  const notified: string[] = [];
  const { unlisten } = await sql.listen("due", (payload) => void notified.push(payload));
  await saveWebhook(seller.id, webhook, webhookForm.parse({ ...form, url: receiverAt("right") }), undefined);
  await until(() => notified.includes("deliveries"));
  await unlisten();
  expect(await listWebhooks(seller.id)).toMatchObject([{ failingSince: null }]);
  expect(await paceOf(webhook)).toEqual(NO_PACE);
  await sendQueued(webhook, saleId);
  expect((await deliveriesOf(webhook)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ["sent", 1],
    ["sent", 1],
  ]);
  expect(await app.sandbox.arrivals("right")).toHaveLength(2);
});

test.each([
  ["after its last pause", "scheduled_at = next_attempt_at"],
  ["for a call to end", "scheduled_at = null, parked_at = now()"],
])("a delivery that waits %s has all its retries at a corrected address", async (_, waits) => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "tired", events: ["pix.generated"] });
  const { saleId } = await buy(product.id);
  await sql`update deliveries set attempts = 9, next_attempt_at = ${FAILING.backoffUntil} where destination_id = ${webhook}`;
  await sql.unsafe(`update deliveries set ${waits} where destination_id = $1`, [webhook]);
  const form = { name: "tired", events: ["pix.generated"], url: receiverAt("rested") };
  await saveWebhook(seller.id, webhook, webhookForm.parse(form), undefined);
  await app.sandbox.fault({ service: "receiver", route: "rested", mode: "http-500" });
  await sendQueued(webhook, saleId);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "queued", attempts: 1 }]);
});

test("what is being sent, or goes to another destination, keeps its moment", async () => {
  const { seller, product } = await openShop();
  const [webhook, other] = [
    await makeWebhook(seller, { name: "in-hand", events: ["pix.generated"] }),
    await makeWebhook(seller, { name: "other", events: ["pix.generated"] }),
  ];
  await buy(product.id);
  await sql`update deliveries set scheduled_at = ${FAILING.backoffUntil},
    leased_until = case when destination_id = ${webhook} then ${FAILING.backoffUntil}::timestamptz end`;
  const form = { name: "in-hand", events: ["pix.generated"], url: receiverAt("in-right-hand") };
  await saveWebhook(seller.id, webhook, webhookForm.parse(form), undefined);
  const moments = await sql`select distinct destination_id, scheduled_at from deliveries
    where destination_id in ${sql([webhook, other])}`;
  expect(moments.map(({ scheduled_at }) => scheduled_at)).toEqual([
    FAILING.backoffUntil,
    FAILING.backoffUntil,
  ]);
});

test("a pixel with another token, or another code, and a member area with another key begin anew too", async () => {
  const { seller } = await openShop();
  const pixel = await makePixel(seller, "meta", FAILING);
  const save = (fields: object) => {
    const form = { kind: "meta", name: "Pixel", pixel_id: "1234567890123456", events: ["sale.paid"] };
    return savePixel(
      seller.id,
      pixel,
      pixelForm.parse({ ...form, token: PIXEL_TOKEN, ...fields }),
      undefined,
    );
  };
  await save({ name: "Outro" });
  expect(await paceOf(pixel)).toEqual(OLD_PACE);
  await save({ token: "sandbox-EAAG-outro" });
  expect(await paceOf(pixel)).toEqual(NO_PACE);
  await sql`update destinations set ${sql(OLD_PACE)} where id = ${pixel}`;
  await save({ pixel_id: "999999999", token: "sandbox-EAAG-outro" });
  expect(await paceOf(pixel)).toEqual(NO_PACE);
  const area = await makeMemberArea(seller, "memberkit", FAILING);
  const key = (token: string) =>
    saveMemberArea(seller.id, area, memberForm.parse({ kind: "memberkit", name: "Kit", token }), undefined);
  await key(MEMBER_KEY);
  expect(await paceOf(area)).toEqual(OLD_PACE);
  await key("sandbox-outra-chave");
  expect(await paceOf(area)).toEqual(NO_PACE);
});

const GONE = { result: "gone", reason: "gone" } as const;
const REFUSED_TOKEN = { result: "gone", reason: "token" } as const;
const BUSY = { result: "again", reason: "status", retryAfterMs: HOUR } as const;

/** Destinations, and how their seller corrects them. */
const CORRECTED = {
  webhook: {
    make: (seller: { id: string }) => makeWebhook(seller, { name: "left", events: ["pix.generated"] }),
    correct: (sellerId: string, id: string) => {
      const form = { name: "left", events: ["pix.generated"], url: receiverAt("moved-to") };
      return saveWebhook(sellerId, id, webhookForm.parse(form), undefined);
    },
  },
  meta: {
    make: (seller: { id: string }) => makePixel(seller, "meta", { events: ["pix.generated"] }),
    correct: (sellerId: string, id: string) => {
      const form = { kind: "meta", name: "Pixel", pixel_id: "1234567890123456", events: ["pix.generated"] };
      return savePixel(sellerId, id, pixelForm.parse({ ...form, token: "sandbox-EAAG-novo" }), undefined);
    },
  },
};

test.each([
  ["webhook", GONE],
  ["webhook", BUSY],
  ["meta", REFUSED_TOKEN],
  ["meta", BUSY],
] as const)(
  "the failure of a %s that was corrected meanwhile (%o) is logged, and the new receiver is asked at once",
  async (name, verdict) => {
    const { make, correct } = CORRECTED[name];
    const { seller, product } = await openShop();
    const id = await make(seller);
    const { saleId } = await buy(product.id, { adAnswer: { adConsent: true, adIds: {} } });
    const claimed = (await claimNextOfSubject({ destinationId: id, subjectId: saleId }))!;
    const stops = async () =>
      (await sql`select stopped_at from destinations where id = ${id}`)[0]!.stopped_at;
    await correct(seller.id, id);
    claimed.delivery.attempts = 1;
    const outcome = { verdict, status: 410, body: "", ms: 1 };
    const ended = { ...claimed, body: "{}", kind: DESTINATIONS[name], outcome, now: new Date() };
    expect(await recordAttempt(ended)).toBe(true);
    expect([await stops(), await paceOf(id)]).toEqual([null, NO_PACE]);
    const mails =
      await sql`select from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
    expect(mails).toHaveLength(0);
    const [row] = await deliveriesOf(id);
    expect([row!.status, row!.reason, row!.response_status]).toEqual(["queued", verdict.reason, 410]);
    expect((await nextAttempt(id, saleId))!.getTime()).toBeLessThanOrEqual(Date.now());
    // The new receiver has all its retries.
    expect(await sql`select attempts from deliveries where destination_id = ${id}`).toEqual([
      { attempts: 0 },
    ]);
    const again = (await claimNextOfSubject({ destinationId: id, subjectId: saleId }))!;
    await sendDelivery(again, readNotification);
    expect(await deliveriesOf(id)).toMatchObject([{ status: "sent" }]);
  },
);

test("that the previous receiver accepted says nothing about the new one, which fails", async () => {
  const { seller, product } = await openShop();
  const id = await CORRECTED.webhook.make(seller);
  const { saleId } = await buy(product.id);
  const claimed = (await claimNextOfSubject({ destinationId: id, subjectId: saleId }))!;
  const taken = { result: "taken", reason: "taken" } as const;
  const outcome = { verdict: taken, status: 200, body: "", ms: 1 };
  const accept = () =>
    recordAttempt({ ...claimed, body: "{}", kind: DESTINATIONS.webhook, outcome, now: new Date() });
  const fail =
    () => sql`update destinations set failing_since = now(), backoff_until = now() + interval '1 hour'
    where id = ${id}`;
  await CORRECTED.webhook.correct(seller.id, id);
  await fail();
  await accept();
  expect(await deliveriesOf(id)).toMatchObject([{ status: "sent" }]);
  expect(await paceOf(id)).not.toEqual(NO_PACE);
  // The current receiver's acceptance ends that.
  await sql`update deliveries set status = 'queued' where destination_id = ${id}`;
  const [row] = await sql`select updated_at from destinations where id = ${id}`;
  claimed.destination.updatedAt = row!.updated_at;
  await accept();
  expect(await paceOf(id)).toEqual(NO_PACE);
});

test("a failure counts where a test of the connection found the classes meanwhile", async () => {
  const { seller, product } = await openShop();
  const id = await makeMemberArea(seller, "memberkit");
  const bought = await buy(product.id);
  await pay(app, bought);
  const { saleId } = bought;
  const claimed = (await claimNextOfSubject({ destinationId: id, subjectId: saleId }))!;
  await sql`update destinations set settings = settings || '{"known": [{"id": "7", "name": "Turma"}]}' where id = ${id}`;
  const outcome = { verdict: GONE, status: 410, body: "", ms: 1 };
  await recordAttempt({ ...claimed, body: "{}", kind: DESTINATIONS.memberkit, outcome, now: new Date() });
  const [row] = await sql`select stopped_reason from destinations where id = ${id}`;
  expect(row!.stopped_reason).toBe("gone");
});

test("a failure counts where only the name or the products were saved meanwhile", async () => {
  const { seller, product } = await openShop();
  const id = await CORRECTED.webhook.make(seller);
  const { saleId } = await buy(product.id);
  const claimed = (await claimNextOfSubject({ destinationId: id, subjectId: saleId }))!;
  const form = { name: "Outro nome", events: ["pix.generated"], url: receiverAt("left") };
  await saveWebhook(seller.id, id, webhookForm.parse(form), undefined);
  const outcome = { verdict: GONE, status: 410, body: "", ms: 1 };
  await recordAttempt({ ...claimed, body: "{}", kind: DESTINATIONS.webhook, outcome, now: new Date() });
  const [row] = await sql`select stopped_reason from destinations where id = ${id}`;
  expect(row!.stopped_reason).toBe("gone");
});

/** A buyer with a session at the measurement ids of before and of now. */
const measured = (before: string, now: string) => ({
  adAnswer: {
    adConsent: true,
    adIds: { agent: "Mozilla/5.0", gaSessions: { [before]: "GS1.1.1111.1.0", [now]: "GS1.1.2222.1.0" } },
  },
});

const GA4 = { kind: "ga4", name: "Pixel", token: PIXEL_TOKEN, counts_pix: true };
const correct = (sellerId: string, pixel: string, pixel_id: string) =>
  savePixel(
    sellerId,
    pixel,
    pixelForm.parse({ ...GA4, pixel_id, events: ["pix.generated", "sale.paid"] }),
    undefined,
  );

test("what failed at GA4 is sent to the corrected measurement id with the session of that one", async () => {
  const { seller, product } = await openShop();
  const [before, now] = [`A${Date.now() % 1e8}`, `B${Date.now() % 1e8}`];
  const pixel = await makePixel(seller, "ga4", { pixelId: `G-${before}`, events: ["pix.generated"] });
  const { saleId } = await buy(product.id, measured(before, now));
  await app.sandbox.fault({ service: "ga4", mode: "http-500" });
  await sendQueued(pixel, saleId);
  await correct(seller.id, pixel, `G-${now}`);
  await sendQueued(pixel, saleId);
  const [counted] = (await app.sandbox.conversions("ga4")).filter((one) => one.pixel === `G-${now}`);
  expect(JSON.stringify(counted!.body)).toContain('"session_id":"2222"');
});

test("a PIX that counted at a measurement id counts there after a detour to another one", async () => {
  const { seller, product } = await openShop();
  const [id, wrong] = [`G-E${Date.now() % 1e8}`, `G-F${Date.now() % 1e8}`];
  const pixel = await makePixel(seller, "ga4", {
    ...{ pixelId: id, events: ["pix.generated", "sale.paid"] },
    countsPixSince: "2026-01-01T00:00:00Z",
  });
  const bought = await buy(product.id, measured("X", "Y"));
  await sendQueued(pixel, bought.saleId);
  await correct(seller.id, pixel, wrong);
  const atWrong = await buy(product.id, { ...measured("X", "Y"), ...buyer(mailbox()) });
  await sendQueued(pixel, atWrong.saleId);
  await correct(seller.id, pixel, id);
  for (const each of [bought, atWrong]) {
    await pay(app, each);
    await sql`update sales set created_at = now() - interval '48 hours' where id = ${each.saleId}`;
    await sendQueued(pixel, each.saleId);
  }
  const paid = (await deliveriesOf(pixel)).filter(({ event }) => event === "sale.paid");
  expect(paid.map(({ sale_id, reason }) => [sale_id, reason])).toEqual([
    [bought.saleId, "said-before"],
    [atWrong.saleId, "taken"],
  ]);
});

test.each([true, false])(
  "a PIX that counted at the measurement id of before (%s) leaves its payment to be counted at the corrected one",
  async (isCorrected) => {
    const { seller, product } = await openShop();
    const pixel = await makePixel(seller, "ga4", {
      ...{ pixelId: `G-C${Date.now() % 1e8}`, events: ["pix.generated", "sale.paid"] },
      countsPixSince: "2026-01-01T00:00:00Z",
    });
    const bought = await buy(product.id, measured("X", "Y"));
    await sendQueued(pixel, bought.saleId);
    if (isCorrected) await correct(seller.id, pixel, `G-D${Date.now() % 1e8}`);
    await pay(app, bought);
    await sql`update sales set created_at = now() - interval '48 hours' where id = ${bought.saleId}`;
    await sendQueued(pixel, bought.saleId);
    const paid = (await deliveriesOf(pixel)).at(-1)!;
    expect([paid.event, paid.reason]).toEqual(["sale.paid", isCorrected ? "taken" : "said-before"]);
  },
);
