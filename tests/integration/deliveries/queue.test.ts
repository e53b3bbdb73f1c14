import { expect, test, vi } from "vitest";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { beginAttempt } from "#app/domain/delivery/sending/begin-attempt.server.ts";
import {
  claimDeliveries,
  type DeliveryWithDestination,
  LEASE,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { recordAttempt } from "#app/domain/delivery/sending/record-attempt.server.ts";
import { renewLease } from "#app/domain/delivery/sending/renew-lease.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { deliveriesOf } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

/** Sends all scheduled deliveries, as a worker does. @returns the number of claims and attempts */
async function deliverAll(): Promise<{ claims: number; attempts: number }> {
  const done = { claims: 0, attempts: 0 };
  for (;;) {
    const claimed = await claimDeliveries(40);
    done.claims++;
    if (claimed.length === 0) return done;
    done.attempts += claimed.length;
    await Promise.all(claimed.map((one) => sendDelivery(one, readNotification)));
  }
}

/** That many scheduled rows, each with its own subject. */
async function queue(destination: string, sellerId: string, count: number) {
  await sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event)
    select ${destination}, ${sellerId}, gen_random_uuid(), gen_random_uuid(), 'sale.paid' from generate_series(1, ${count})`;
}

test("however many claim in the same moment, three calls of a destination are begun, and the others wait", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "crowded" });
  await queue(webhook, seller.id, 30);
  const claimed = (await Promise.all([1, 2, 3, 4, 5].map(() => claimDeliveries(10)))).flat();
  const begun = await Promise.all(claimed.map((one) => beginAttempt(one, ["{}"])));
  expect(begun.filter(Boolean)).toHaveLength(3);
  await sql`delete from deliveries`;
});

test("an attempt that a slow database prevented is not counted, and the delivery is never given up for it", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "held-up", events: ["pix.generated"] });
  await buy(product.id);
  // One that was attempted before, and waits for its next attempt.
  const other = await makeWebhook(seller, { name: "not-held-up" });
  await queue(other, seller.id, 1);
  await sql`update deliveries set attempts = 1, scheduled_at = now() + interval '1 hour' where destination_id = ${other}`;
  for (let round = 0; round < 20; round++) {
    await sql`update deliveries set scheduled_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
    const [claimed] = await claimDeliveries(10);
    vi.useFakeTimers({ toFake: ["performance"] });
    const { release } = await holdLock(
      (tx) => tx`select from deliveries where id = ${claimed!.delivery.id} for update`,
    );
    try {
      const delivered = sendDelivery(claimed!, readNotification);
      await untilLockedOut();
      vi.advanceTimersByTime(3_000);
      await release();
      await delivered;
    } finally {
      vi.useRealTimers();
      await release();
    }
  }
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "queued", attempts: 0 }]);
  expect(await app.sandbox.arrivals("held-up")).toHaveLength(0);
  await sql`update deliveries set scheduled_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
  await deliverAll();
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  expect(await app.sandbox.arrivals("held-up")).toHaveLength(1);
  expect(await deliveriesOf(other)).toMatchObject([{ status: "queued", attempts: 1 }]);
});

test("a delivery waiting for a slot goes when one becomes free, long before its own schedule", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "pile" });
  await queue(webhook, seller.id, 20);
  expect(await claimDeliveries(0)).toEqual([]);
  const { attempts } = await deliverAll();
  expect(attempts).toBe(20);
  expect((await deliveriesOf(webhook)).every(({ status }) => status === "sent")).toBe(true);
});

test("a failing destination gets one attempt at a time, and three again after a success", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "failing", failingSince: new Date() });
  await queue(webhook, seller.id, 6);
  const first = await claimDeliveries(10);
  expect(first).toHaveLength(1);
  await sendDelivery(first[0]!, readNotification);
  expect(await claimDeliveries(10)).toHaveLength(3);
  await sql`delete from deliveries`;
});

test("a worker that slept with a claimed batch sends nothing, and another sends it all", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "slept-with-it", events: ["pix.generated"] });
  await buy(product.id);
  const slept = await claimDeliveries(10);
  expect(slept).toHaveLength(1);
  expect(await claimDeliveries(10)).toEqual([]);
  // Ten seconds later.
  await sql`update deliveries set leased_until = now() - interval '1 second', scheduled_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
  await deliverAll();
  await Promise.all(slept.map((one: DeliveryWithDestination) => sendDelivery(one, readNotification)));
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  expect(await app.sandbox.arrivals("slept-with-it")).toHaveLength(1);
});

test("a destination paused after its delivery was claimed gets nothing", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "paused-in-hand", events: ["pix.generated"] });
  await buy(product.id);
  const [claimed] = await claimDeliveries(10);
  await sql`update destinations set stopped_at = now(), stopped_reason = 'seller' where id = ${webhook}`;
  await sendDelivery(claimed!, readNotification);
  expect(await app.sandbox.arrivals("paused-in-hand")).toEqual([]);
  await sql`update deliveries set scheduled_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
  await deliverAll();
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: "dropped", reason: "stopped" }]);
});

test("a delivery queued by an earlier version is sent, and waits for the retry time that version set", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "of-before", events: ["pix.generated"] });
  await buy(product.id);
  await sql`update deliveries set next_attempt_at = now() + interval '1 hour', attempts = 1, scheduled_at = date_trunc('milliseconds', now()), request_id = null
    where destination_id = ${webhook}`;
  expect(await claimDeliveries(10)).toEqual([]);
  const [row] =
    await sql`select scheduled_at = next_attempt_at as waits from deliveries where destination_id = ${webhook}`;
  expect(row!.waits).toBe(true);
});

test("delivering a purchase to a webhook and a pixel takes a bounded number of statements", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "counted" });
  const pixel = await makePixel(seller, "meta");
  const answer = { adConsent: true, adIds: { agent: "Mozilla/5.0" } };
  const bought = await buy(product.id, { adAnswer: answer });
  await pay(app, bought);
  const { count, statements, result } = await countStatements(deliverAll);
  const delivered = [...(await deliveriesOf(webhook)), ...(await deliveriesOf(pixel))];
  expect(delivered.filter(({ status }) => status === "sent")).toHaveLength(4 + 3);
  // One claim of all scheduled rows, which are read and begun together; they may end one by one.
  expect(count, statements.join("\n")).toBeLessThanOrEqual(3 * result.claims + delivered.length);
  expect(result.claims).toBeLessThanOrEqual(6);
});

test("a retry that is due waits for as long as its destination asks for, and a later one for its own time", async () => {
  const seller = await makeSeller();
  const backoffUntil = new Date(Date.now() + HOUR);
  const webhook = await makeWebhook(seller, { name: "asks-for-time", backoffUntil });
  await queue(webhook, seller.id, 2);
  const [due, later] = await deliveriesOf(webhook);
  await sql`update deliveries set next_attempt_at = now() - interval '1 minute', leased_until = now() - interval '1 minute' where id = ${due!.id}`;
  await sql`update deliveries set next_attempt_at = now() + interval '2 hours' where id = ${later!.id}`;
  expect(await claimDeliveries(10)).toEqual([]);
  const rows = await sql`select scheduled_at, next_attempt_at from deliveries
    where destination_id = ${webhook} order by sequence`;
  expect(rows[0]!.scheduled_at).toEqual(backoffUntil);
  expect(rows[1]!.scheduled_at).toEqual(rows[1]!.next_attempt_at);
  await sql`delete from deliveries`;
});

test("of deliveries that were claimed together each has its own result", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "together" });
  await queue(webhook, seller.id, 2);
  const [failed, other] = await claimDeliveries(10);
  expect(failed!.delivery.leasedUntil).toEqual(other!.delivery.leasedUntil);
  const row = async () => (await sql`select * from deliveries where id = ${other!.delivery.id}`)[0]!;
  const before = await row();
  const outcome = { verdict: { result: "again", reason: "status" }, status: 500, body: "", ms: 1 } as const;
  const delivery = { ...failed!.delivery, attempts: 1 };
  await recordAttempt({
    ...failed!,
    delivery,
    kind: DESTINATIONS.webhook,
    body: "{}",
    outcome,
    now: new Date(),
  });
  expect(await row()).toEqual(before);
  await sql`delete from deliveries`;
});

test("a lease is renewed while its call lasts, and no longer", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "long-call" });
  await queue(webhook, seller.id, 1);
  const [claimed] = await claimDeliveries(10);
  const { delivery } = claimed!;
  const endSoon = async () => {
    const [row] = await sql`update deliveries
      set leased_until = date_trunc('milliseconds', now()) + interval '5 seconds'
      where id = ${delivery.id} returning leased_until`;
    delivery.leasedUntil = row!.leased_until;
    return delivery.leasedUntil.getTime();
  };
  const leaseEnd = async () => {
    const [row] = await sql`select leased_until from deliveries where id = ${delivery.id}`;
    return (row!.leased_until as Date).getTime();
  };
  const soon = await endSoon();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const stop = renewLease(claimed!);
    vi.advanceTimersByTime(LEASE / 4);
    await stop();
    const renewed = await leaseEnd();
    expect(renewed).toBeGreaterThan(soon);
    expect(delivery.leasedUntil.getTime()).toBe(renewed);
    const unchanged = await endSoon();
    vi.advanceTimersByTime(LEASE);
    await stop();
    expect(await leaseEnd()).toBe(unchanged);
  } finally {
    vi.useRealTimers();
  }
  await sql`delete from deliveries`;
});
