import { expect, test } from "vitest";
import { pauseDestination, resumeDestination } from "#app/domain/outbox/change-destination.server.ts";
import { DESTINATIONS } from "#app/domain/outbox/destinations.server.ts";
import { resendNews, resendSpan } from "#app/domain/outbox/resend-news.server.ts";
import { bookTry } from "#app/domain/outbox/telling/book-try.server.ts";
import { claimSubject } from "#app/domain/outbox/telling/claim-news.server.ts";
import { tellNews } from "#app/domain/outbox/telling/tell-news.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { makeDue, newsOf, nextTell, tell } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A sale whose PIX is news to the receiver of this name. */
async function soldTo(name: string, events: string[] = ["pix.generated"]) {
  const shop = await openShop();
  const webhook = await makeWebhook(shop.seller, { name, events: events as never });
  const { saleId } = await buy(shop.product.id);
  return { ...shop, webhook, saleId };
}

test.each([
  ["http-500", { why: "status", response_status: 500 }],
  ["http-429", { why: "status", response_status: 429 }],
  ["status-404", { why: "status", response_status: 404 }],
  ["status-302", { why: "redirect", response_status: 302 }],
  ["reset", { why: "network", response_status: 0 }],
] as const)(
  "after %s the same message comes again with the same id and a newer signature",
  async (mode, expected) => {
    const { webhook, saleId } = await soldTo(`bad-${mode}`);
    await app.sandbox.fault({ service: "receiver", route: `bad-${mode}`, mode });
    await tell(webhook, saleId);
    expect(await newsOf(webhook)).toMatchObject([{ status: "queued", attempts: 1, ...expected }]);
    const next = (await nextTell(webhook, saleId))!.getTime() - Date.now();
    expect(next).toBeGreaterThan(2 * SECOND);
    expect(next).toBeLessThan(MINUTE);
    await makeDue(webhook);
    await tell(webhook, saleId);
    expect(await newsOf(webhook)).toMatchObject([{ status: "sent", attempts: 2, response_status: 200 }]);
    const [first, second, ...more] = await app.sandbox.arrivals(`bad-${mode}`);
    expect(more).toEqual([]);
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(await app.sandbox.arrivals("elsewhere")).toEqual([]);
  },
);

test("what is still to come waits behind what is tried again", async () => {
  const { webhook, saleId } = await soldTo("in-order", ["checkout.started", "pix.generated"]);
  await app.sandbox.fault({ service: "receiver", route: "in-order", mode: "http-500" });
  await tell(webhook, saleId);
  await tell(webhook, saleId);
  expect(await app.sandbox.arrivals("in-order")).toHaveLength(1);
  await makeDue(webhook);
  await tell(webhook, saleId);
  const told = (await app.sandbox.arrivals("in-order")).map(({ body }) => JSON.parse(body).type);
  expect(told).toEqual(["checkout.started", "checkout.started", "pix.generated"]);
});

test("410 ends the webhook and mails its seller, and what is queued is not sent", async () => {
  const { webhook, saleId, seller } = await soldTo("gone", ["checkout.started", "pix.generated"]);
  await app.sandbox.fault({ service: "receiver", route: "gone", mode: "status-410", times: 9 });
  await tell(webhook, saleId);
  expect(await newsOf(webhook)).toMatchObject([
    { status: "refused", why: "gone" },
    { status: "dropped", why: "stopped" },
  ]);
  const [row] = await sql`select stopped_why from destinations where id = ${webhook}`;
  expect(row!.stopped_why).toBe("gone");
  const mails =
    await sql`select kind from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
  expect(mails).toHaveLength(1);
});

test("ten tries over three days without one success pause it, and mail its seller once", async () => {
  const { webhook, saleId, seller } = await soldTo("silent");
  await app.sandbox.fault({ service: "receiver", route: "silent", mode: "http-500", times: 20 });
  const waits: number[] = [];
  for (let tries = 0; tries < 10; tries++) {
    await tell(webhook, saleId);
    const next = await nextTell(webhook, saleId);
    if (next && tries < 9) waits.push(next.getTime() - Date.now());
    // Time goes by: what failed first failed that much earlier.
    const ago = (waits[tries] ?? 0) / 1000;
    await sql`update destinations set failing_since = failing_since - make_interval(secs => ${ago}) where id = ${webhook}`;
    await makeDue(webhook);
  }
  expect(await app.sandbox.arrivals("silent")).toHaveLength(10);
  const all = waits.reduce((sum, wait) => sum + wait, 0);
  expect(all).toBeGreaterThan(3 * DAY);
  expect(all).toBeLessThan(3.6 * DAY);
  expect(waits.at(-1)).toBeGreaterThan(23 * HOUR);
  expect(await newsOf(webhook)).toMatchObject([{ status: "refused", why: "status", attempts: 10 }]);
  const [row] = await sql`select stopped_why from destinations where id = ${webhook}`;
  expect(row!.stopped_why).toBe("failing");
  const mails =
    await sql`select kind from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
  expect(mails).toHaveLength(1);
});

test("a receiver that asks for quiet gets it, for whatever sale", async () => {
  const { webhook, saleId, product } = await soldTo("busy");
  await app.sandbox.fault({ service: "receiver", route: "busy", mode: "http-429" });
  await tell(webhook, saleId);
  const other = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await tell(webhook, other.saleId);
  expect(await app.sandbox.arrivals("busy")).toHaveLength(1);
  expect((await nextTell(webhook, other.saleId))!.getTime()).toBeGreaterThan(Date.now() + 5 * SECOND);
});

test("an answer is read no further than a few kilobytes, and our secrets are not kept in it", async () => {
  const { webhook, saleId } = await soldTo("long-answer");
  const body = `whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY= ${"x".repeat(100_000)}`;
  await app.sandbox.fault({ service: "receiver", route: "long-answer", mode: "status-200", body });
  await tell(webhook, saleId);
  const [news] = await newsOf(webhook);
  expect(news).toMatchObject({ status: "sent", response_status: 200 });
  expect(news!.response_body).toMatch(/^\[oculto\] xxx/);
  expect(news!.response_body.length).toBeLessThanOrEqual(4096);
});

test("an address inside is refused and never called, though it was kept when it was outside", async () => {
  const { webhook, saleId } = await soldTo("inside");
  await sql`update destinations set settings = settings || '{"url": "https://169.254.169.254/latest"}' where id = ${webhook}`;
  await tell(webhook, saleId);
  expect(await newsOf(webhook)).toMatchObject([{ status: "refused", why: "forbidden", response_status: 0 }]);
});

test("what was refused is sent again under the same id, by one press or by a span", async () => {
  const { webhook, saleId, seller } = await soldTo("again");
  await tell(webhook, saleId);
  const [sent] = await newsOf(webhook);
  await sql`update outbox set status = 'refused', why = 'status' where destination_id = ${webhook}`;
  await resendNews("webhook", seller.id, webhook, sent!.id);
  await tell(webhook, saleId);
  const span = { from: new Date(Date.now() - HOUR), to: new Date() };
  expect(await resendSpan("webhook", seller.id, webhook, { ...span, all: false })).toBe(0);
  expect(await resendSpan("webhook", seller.id, webhook, { ...span, all: true })).toBe(1);
  await tell(webhook, saleId);
  const arrivals = await app.sandbox.arrivals("again");
  expect(arrivals).toHaveLength(3);
  expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("what is queued when its webhook is paused is not sent, and can be sent again later", async () => {
  const { webhook, saleId, seller } = await soldTo("paused-later");
  await pauseDestination("webhook", seller.id, webhook);
  await tell(webhook, saleId);
  expect(await newsOf(webhook)).toMatchObject([{ status: "dropped", why: "stopped" }]);
  const span = { from: new Date(Date.now() - HOUR), to: new Date(), all: false };
  await expect(resendSpan("webhook", seller.id, webhook, span)).rejects.toThrow("está pausado");
  await resumeDestination("webhook", seller.id, webhook);
  expect(await resendSpan("webhook", seller.id, webhook, span)).toBe(1);
  await tell(webhook, saleId);
  expect(await app.sandbox.arrivals("paused-later")).toHaveLength(1);
});

test("news that became too old is ended as such", async () => {
  const { webhook, saleId } = await soldTo("late");
  await sql`update outbox set created_at = now() - interval '31 days' where destination_id = ${webhook}`;
  await tell(webhook, saleId);
  expect(await newsOf(webhook)).toMatchObject([{ status: "too_late" }]);
});

/** Somebody who took a sale's news and slept until another took it over. */
async function takenOver(name: string) {
  const { webhook, saleId } = await soldTo(name);
  const which = { destinationId: webhook, subjectId: saleId };
  const asleep = (await claimSubject(which))!;
  await sql`update outbox set claimed_until = now() - interval '1 second' where destination_id = ${webhook}`;
  const other = (await claimSubject(which))!;
  expect(other.news.id).toBe(asleep.news.id);
  const row = async () => (await sql`select * from outbox where destination_id = ${webhook}`)[0]!;
  return { webhook, asleep, other, row };
}

test("a claim that lapsed is taken over, and who slept tells nobody, whether they wake before the other has told it or after", async () => {
  const { webhook, asleep, other, row } = await takenOver("slept");
  const before = await row();
  expect(await tellNews(asleep, readNews)).toBe(false);
  expect(await app.sandbox.arrivals("slept")).toEqual([]);
  expect(await row()).toEqual(before);
  await tellNews(other, readNews);
  expect(await newsOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  const told = await row();
  await tellNews(asleep, readNews);
  expect(await app.sandbox.arrivals("slept")).toHaveLength(1);
  expect(await row()).toEqual(told);
});

test.each(["again", "refused", "gone"] as const)(
  "an answer that says “%s” to who slept through their call changes nothing of what another has in hand",
  async (result) => {
    const { webhook, asleep, other, row } = await takenOver(`answered-${result}`);
    const before = await row();
    const tried = { verdict: { result, why: "status" }, status: 500, body: "late", ms: 1 } as const;
    await bookTry({ news: asleep.news, kind: DESTINATIONS.webhook, tried, now: new Date() });
    expect(await row()).toEqual(before);
    await tellNews(other, readNews);
    expect(await newsOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  },
);

test("a try whose worker died counts, and the last of them ends it", async () => {
  const { webhook, saleId } = await soldTo("died");
  await sql`update outbox set attempts = 10, claimed_until = now() - interval '1 second' where destination_id = ${webhook}`;
  await tell(webhook, saleId);
  expect(await newsOf(webhook)).toMatchObject([{ status: "refused", why: "lost" }]);
  expect(await app.sandbox.arrivals("died")).toEqual([]);
});
