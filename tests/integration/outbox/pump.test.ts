import { expect, test, vi } from "vitest";
import { beginTry } from "#app/domain/outbox/telling/begin-try.server.ts";
import { claimNews, type TakenNews } from "#app/domain/outbox/telling/claim-news.server.ts";
import { tellNews } from "#app/domain/outbox/telling/tell-news.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { newsOf } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-pixel.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

/** Tells all that is due, as a worker does. @returns how many looks and tries that took */
async function tellAll(): Promise<{ looks: number; tries: number }> {
  const done = { looks: 0, tries: 0 };
  for (;;) {
    const taken = await claimNews(40);
    done.looks++;
    if (taken.length === 0) return done;
    done.tries += taken.length;
    await Promise.all(taken.map((one) => tellNews(one, readNews)));
  }
}

/** So many rows that are due, of subjects of their own. */
async function queue(destination: string, sellerId: string, count: number) {
  await sql`insert into outbox (destination_id, seller_id, subject_id, about_id, event)
    select ${destination}, ${sellerId}, gen_random_uuid(), gen_random_uuid(), 'sale.paid' from generate_series(1, ${count})`;
}

test("however many claim in the same moment, three calls of a destination are begun, and the others wait", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "crowded" });
  await queue(webhook, seller.id, 30);
  const taken = (await Promise.all([1, 2, 3, 4, 5].map(() => claimNews(10)))).flat();
  const begun = await Promise.all(taken.map((one) => beginTry(one, ["{}"])));
  expect(begun.filter(Boolean)).toHaveLength(3);
  await sql`delete from outbox`;
});

test("an attempt that a slow database kept from being made is not counted: however often, the delivery is not given up", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "held-up", events: ["pix.generated"] });
  await buy(product.id);
  for (let round = 0; round < 20; round++) {
    await sql`update outbox set due_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
    const [taken] = await claimNews(10);
    vi.useFakeTimers({ toFake: ["performance"] });
    const { release } = await holdLock(
      (tx) => tx`select from outbox where id = ${taken!.news.id} for update`,
    );
    try {
      const told = tellNews(taken!, readNews);
      await untilLockedOut();
      vi.advanceTimersByTime(3_000);
      await release();
      await told;
    } finally {
      vi.useRealTimers();
      await release();
    }
  }
  expect(await newsOf(webhook)).toMatchObject([{ status: "queued", attempts: 0 }]);
  expect(await app.sandbox.arrivals("held-up")).toHaveLength(0);
  await sql`update outbox set due_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
  await tellAll();
  expect(await newsOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  expect(await app.sandbox.arrivals("held-up")).toHaveLength(1);
});

test("what is parked for a place goes when one becomes free, long before it would be due by itself", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "pile" });
  await queue(webhook, seller.id, 20);
  expect(await claimNews(0)).toEqual([]);
  const { tries } = await tellAll();
  expect(tries).toBe(20);
  expect((await newsOf(webhook)).every(({ status }) => status === "sent")).toBe(true);
});

test("where nothing gets there one at a time is tried, and three again after one that did", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "failing", failingSince: new Date() });
  await queue(webhook, seller.id, 6);
  const first = await claimNews(10);
  expect(first).toHaveLength(1);
  await tellNews(first[0]!, readNews);
  expect(await claimNews(10)).toHaveLength(3);
  await sql`delete from outbox`;
});

test("who slept with a batch in hand tells nobody, and another tells it all", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "slept-with-it", events: ["pix.generated"] });
  await buy(product.id);
  const slept = await claimNews(10);
  expect(slept).toHaveLength(1);
  expect(await claimNews(10)).toEqual([]);
  // Ten seconds later.
  await sql`update outbox set claimed_until = now() - interval '1 second', due_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
  await tellAll();
  await Promise.all(slept.map((one: TakenNews) => tellNews(one, readNews)));
  expect(await newsOf(webhook)).toMatchObject([{ status: "sent", attempts: 1 }]);
  expect(await app.sandbox.arrivals("slept-with-it")).toHaveLength(1);
});

test("a destination that is paused after its news was taken hears nothing", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "paused-in-hand", events: ["pix.generated"] });
  await buy(product.id);
  const [taken] = await claimNews(10);
  await sql`update destinations set stopped_at = now(), stopped_why = 'seller' where id = ${webhook}`;
  await tellNews(taken!, readNews);
  expect(await app.sandbox.arrivals("paused-in-hand")).toEqual([]);
  await sql`update outbox set due_at = date_trunc('milliseconds', now()) where destination_id = ${webhook}`;
  await tellAll();
  expect(await newsOf(webhook)).toMatchObject([{ status: "dropped", why: "stopped" }]);
});

test("news that a version of before queued is told, and a try it set for later waits for that", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "of-before", events: ["pix.generated"] });
  await buy(product.id);
  await sql`update outbox set next_at = now() + interval '1 hour', attempts = 1, due_at = date_trunc('milliseconds', now()), request_id = null
    where destination_id = ${webhook}`;
  expect(await claimNews(10)).toEqual([]);
  const [row] = await sql`select due_at = next_at as waits from outbox where destination_id = ${webhook}`;
  expect(row!.waits).toBe(true);
});

test("telling a webhook and a pixel of a purchase takes a bounded number of statements", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "counted" });
  const pixel = await makePixel(seller, "meta");
  const answer = { adConsent: true, adIds: { agent: "Mozilla/5.0" } };
  const bought = await buy(product.id, { answer });
  await pay(app, bought);
  const { count, statements, result } = await countStatements(tellAll);
  const told = [...(await newsOf(webhook)), ...(await newsOf(pixel))];
  expect(told.filter(({ status }) => status === "sent")).toHaveLength(4 + 3);
  // A look for all that is due; and of each piece of news: the sale is read, the try begun, its end booked.
  expect(count, statements.join("\n")).toBeLessThanOrEqual(result.looks + 3 * told.length);
  expect(result.looks).toBeLessThanOrEqual(6);
});
