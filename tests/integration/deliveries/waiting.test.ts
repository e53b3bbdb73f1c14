import { expect, test } from "vitest";
import { claimDeliveries } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { wakeMissed } from "#app/domain/delivery/waiting.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { deliveriesOf } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

const wake = () => wakeMissed.handle({}, { number: 1, last: true });

/** Rows as the queue has them, in sequence. */
async function waitingOf(destination: string) {
  const rows = await sql`select event, scheduled_at is not null as scheduled, parked_at is not null as parked
    from deliveries where destination_id = ${destination} and status = 'queued' order by sequence`;
  return rows.map(({ event, scheduled, parked }) => [
    event,
    scheduled ? "scheduled" : parked ? "parked" : "blocked",
  ]);
}

/** Sends what may be sent, until nothing is scheduled. */
async function deliverAll() {
  for (;;) {
    const claimed = await claimDeliveries(40);
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((one) => sendDelivery(one, readNotification)));
  }
}

/** Rows of subjects of their own. */
async function queue(
  destination: string,
  sellerId: string,
  count: number,
  scheduledAt: string,
  parkedAt = "null",
) {
  await sql.unsafe(`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, scheduled_at, parked_at)
    select '${destination}', '${sellerId}', gen_random_uuid(), gen_random_uuid(), 'sale.paid', ${scheduledAt}, ${parkedAt}
    from generate_series(1, ${count})`);
}

test("of a sale's events only the first is scheduled, the others wait for it, and all are sent", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "in-line" });
  const bought = await buy(product.id);
  await pay(app, bought);
  expect(await waitingOf(webhook)).toEqual([
    ["checkout.started", "scheduled"],
    ["pix.generated", "blocked"],
    ["sale.paid", "blocked"],
    ["access.granted", "blocked"],
  ]);
  await deliverAll();
  expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(Array(4).fill("sent"));
});

test("what is queued for a destination with parked deliveries is parked, and no claim reads it", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "crowded-line", events: ["pix.generated"] });
  await queue(webhook, seller.id, 4, "now()");
  const claimed = await claimDeliveries(10);
  expect(claimed).toHaveLength(3);
  await buy(product.id);
  expect((await waitingOf(webhook)).map(([, state]) => state)).toEqual([
    ...Array(3).fill("scheduled"),
    ...Array(2).fill("parked"),
  ]);
  const before = await sql`select id, xmin from deliveries where destination_id = ${webhook} order by id`;
  expect(await claimDeliveries(10)).toEqual([]);
  expect(await sql`select id, xmin from deliveries where destination_id = ${webhook} order by id`).toEqual(
    before,
  );
  await Promise.all(claimed.map((one) => sendDelivery(one, readNotification)));
  await deliverAll();
  expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(Array(5).fill("sent"));
});

/** Has a delivery begin to wait while another one ends. @returns whether it was committed soon after that */
async function beginToWait(sellerId: string, webhook: string, state: string, end: string): Promise<boolean> {
  await queue(webhook, sellerId, 1, "now()");
  if (end === "too_late")
    await sql`update deliveries set created_at = now() - interval '31 days' where destination_id = ${webhook}`;
  const claimed = await claimDeliveries(1);
  const subject = state === "blocked" ? claimed[0]!.delivery.subjectId : crypto.randomUUID();
  let endedAt = 0;
  await sql.begin(async (tx) => {
    await tx`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, scheduled_at, parked_at)
      values (${webhook}, ${sellerId}, ${subject}, gen_random_uuid(), 'access.granted', null,
        ${state === "parked" ? new Date() : null})`;
    // Not committed yet: the end of the other delivery does not see it.
    await Promise.all(claimed.map((one) => sendDelivery(one, readNotification)));
    endedAt = performance.now();
    expect(await waitingOf(webhook)).toEqual([]);
  });
  const isInTime = performance.now() - endedAt < SECOND / 2;
  if (isInTime) expect(await waitingOf(webhook)).toEqual([["access.granted", state]]);
  return isInTime;
}

test.each([
  ["behind it", "blocked", "sent"],
  ["for its destination", "parked", "sent"],
  ["behind it", "blocked", "too_late"],
])(
  "a delivery that begins to wait %s (%s) in the moment in which another ends (%s) is scheduled soon",
  async (_, state, end) => {
    const seller = await makeSeller();
    // What waits is looked for again a second after the end: a busy machine that commits later than that tries once more.
    const webhook = await until(async () => {
      const tried = await makeWebhook(seller, { name: `unseen-${state}-${end}` });
      const isInTime = await beginToWait(seller.id, tried, state, end);
      if (!isInTime) await sql`delete from deliveries where destination_id = ${tried}`;
      return isInTime ? tried : null;
    });
    await until(async () => (await waitingOf(webhook))[0]![1] === "scheduled");
    await deliverAll();
    expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual([end, "sent"]);
  },
);

test("a delivery that began to wait when the one before it ended is scheduled within a minute", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "missed-in-line" });
  await buy(product.id);
  await sql`delete from deliveries where destination_id = ${webhook} and event = 'checkout.started'`;
  await deliverAll();
  expect(await waitingOf(webhook)).toEqual([["pix.generated", "blocked"]]);
  await wake();
  await deliverAll();
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "sent" }]);
});

test("deliveries that were parked when the last call ended are scheduled within a minute, as many as may go", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "missed-slots" });
  const slow = await makeWebhook(seller, {
    name: "asked-to-wait",
    backoffUntil: new Date(Date.now() + 60_000),
  });
  await queue(webhook, seller.id, 6, "null", "now()");
  await queue(slow, seller.id, 2, "null", "now()");
  await wake();
  await wake();
  expect((await waitingOf(webhook)).map(([, state]) => state).sort()).toEqual([
    ...Array(3).fill("parked"),
    ...Array(3).fill("scheduled"),
  ]);
  expect((await waitingOf(slow)).map(([, state]) => state)).toEqual(["parked", "parked"]);
  await deliverAll();
  expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(Array(6).fill("sent"));
});

test("all that waits for a stopped destination is dropped, also behind a retry; nothing else is", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "stopped-line" });
  const other = await makeWebhook(seller, { name: "other-line" });
  await app.sandbox.fault({ service: "receiver", route: "stopped-line", mode: "http-500", times: 1 });
  await buy(product.id);
  await deliverAll();
  expect(await waitingOf(webhook)).toEqual([
    ["checkout.started", "scheduled"],
    ["pix.generated", "blocked"],
  ]);
  await sql`update destinations set stopped_at = now(), stopped_reason = 'seller' where id = ${webhook}`;
  await deliverAll();
  await wake();
  await deliverAll();
  expect(await deliveriesOf(webhook)).toMatchObject([
    { status: "dropped", reason: "stopped" },
    { status: "dropped", reason: "stopped" },
  ]);
  expect((await deliveriesOf(other)).map(({ status }) => status)).toEqual(["sent", "sent"]);
});

test("what waits behind an event that became too old is sent next", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "after-too-old" });
  await buy(product.id);
  await sql`update deliveries set created_at = now() - interval '31 days'
    where destination_id = ${webhook} and event = 'checkout.started'`;
  await deliverAll();
  expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(["too_late", "sent"]);
});

test("what waits behind an event that was refused is sent next, and one refusal stops no pixel", async () => {
  const { seller, product } = await openShop();
  const pixel = await makePixel(seller, "meta", { events: ["checkout.started", "pix.generated"] });
  const body = { error: { message: "Invalid parameter", code: 100 } };
  await app.sandbox.fault({ service: "meta", mode: "status-400", body });
  await buy(product.id, { adAnswer: { adConsent: true, adIds: { agent: "Mozilla/5.0" } } });
  await deliverAll();
  expect((await deliveriesOf(pixel)).map(({ status }) => status)).toEqual(["refused", "sent"]);
  expect(await sql`select stopped_at from destinations where id = ${pixel}`).toEqual([{ stopped_at: null }]);
});
