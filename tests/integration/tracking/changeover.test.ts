import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { claimNews } from "#app/domain/outbox/telling/claim-news.server.ts";
import { tellNews } from "#app/domain/outbox/telling/tell-news.server.ts";
import { bringOver } from "#app/domain/outbox/utmify/bring-over.server.ts";
import { countQueued, listEvents } from "#app/domain/outbox/utmify/list-events.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { handedOver } from "#app/jobs/handed-over.server.ts";
import { makeDue } from "#tests/integration/outbox/support.ts";
import { buy } from "#tests/integration/payments/support.ts";
import { makeTrackedBefore } from "#tests/integration/tracking/make-tracked-before.ts";
import {
  eventsOf,
  openTrackedShop,
  orderOf,
  pay,
  tellUtmify,
  utmifyOf,
} from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeTracking } from "#tests/support/make.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A sale whose PIX a version before queued for UTMify, from order to code. */
async function boughtBefore(status: "queued" | "sent" | "failed" | "dropped" = "queued") {
  const shop = await openTrackedShop();
  const bought = await buy(shop.product.id);
  await sql`delete from outbox where sale_id = ${bought.saleId}`;
  const [row] = await sql`select id, seller_id, created_at from sales where id = ${bought.saleId}`;
  const sale = { id: bought.saleId, sellerId: row!.seller_id as string, createdAt: row!.created_at as Date };
  await makeTrackedBefore(sale, { state: "waiting_payment", status });
  return { ...shop, bought, sale };
}

const sendOrder = handedOver.find(({ name }) => name === "send-order")!;
const runJob = (saleId: string) => sendOrder.handle({ saleId } as never, { number: 1, last: false });
const told = async (saleId: string) => (await orderOf(app, saleId))?.history.map((h) => h.body.status);

test("what a version before queued is told from the outbox, once, however often its job comes", async () => {
  const { bought } = await boughtBefore();
  await Promise.all([runJob(bought.saleId), runJob(bought.saleId), runJob(bought.saleId)]);
  await tellUtmify(bought.saleId);
  await runJob(bought.saleId);
  await tellUtmify(bought.saleId);
  expect(await told(bought.saleId)).toEqual(["waiting_payment"]);
  const order = (await orderOf(app, bought.saleId))!;
  expect([order.violations, order.body.customer.document]).toEqual([[], "52998224725"]);
  expect(
    await sql`select status, payload, attempted_at from tracking_events where sale_id = ${bought.saleId}`,
  ).toEqual([{ status: "moved", payload: {}, attempted_at: null }]);
});

test("a sale that began there goes on here: in order, each state once", async () => {
  const { bought } = await boughtBefore();
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  expect(await told(bought.saleId)).toEqual(["paid"]);
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "sale.paid", status: "sent" },
    { event: "pix.generated", status: "dropped", why: "outdated" },
  ]);
});

test("what a version before told is not told again, and its next state is", async () => {
  const { bought, sale, seller } = await boughtBefore("sent");
  // A second code of the order, made here.
  await sql`insert into outbox (destination_id, seller_id, sale_id, subject_id, about_id, event)
    values (${await utmifyOf(seller.id)}, ${seller.id}, ${sale.id}, ${sale.id}, ${sale.id}, 'pix.generated')`;
  await tellUtmify(sale.id);
  expect(await told(sale.id)).toBeUndefined();
  await pay(app, bought);
  await tellUtmify(sale.id);
  expect(await told(sale.id)).toEqual(["paid"]);
  expect((await eventsOf(sale.id)).map(({ status }) => status)).toEqual(["sent", "sent"]);
});

test("what a version before queues while it still runs is told, and an older state of it is not", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  const [row] = await sql`select id, seller_id, created_at from sales where id = ${bought.saleId}`;
  const sale = { id: bought.saleId, sellerId: row!.seller_id as string, createdAt: row!.created_at as Date };
  // Its web booked the payment: it queues nothing here.
  await makeTrackedBefore(sale, { state: "paid", status: "sent" });
  await tellUtmify(sale.id);
  expect(await told(sale.id)).toBeUndefined();
  expect(await eventsOf(sale.id)).toMatchObject([
    { event: "pix.generated", status: "dropped", why: "outdated" },
    { event: "sale.paid", status: "sent" },
  ]);
});

test("what a version before told after this one was refused it counts: an older state is not told any more", async () => {
  const { product, seller } = await openTrackedShop();
  const bought = await buy(product.id);
  const [row] = await sql`select id, seller_id, created_at from sales where id = ${bought.saleId}`;
  const sale = { id: bought.saleId, sellerId: seller.id, createdAt: row!.created_at as Date };
  await sql`insert into outbox (destination_id, seller_id, sale_id, subject_id, about_id, event, status, why)
    values (${await utmifyOf(seller.id)}, ${seller.id}, ${sale.id}, ${sale.id}, ${sale.id}, 'sale.paid', 'refused', 'token')`;
  // Somebody went back to it, and the seller sent it again there.
  await makeTrackedBefore(sale, { state: "paid", status: "sent" });
  await tellUtmify(sale.id);
  expect(await told(sale.id)).toBeUndefined();
  expect(await eventsOf(sale.id)).toMatchObject([
    { event: "pix.generated", status: "dropped", why: "outdated" },
    { event: "sale.paid", status: "sent", why: "taken" },
  ]);
});

test("what a version before told counts, though sending it again failed there", async () => {
  const { product } = await openTrackedShop();
  const bought = await buy(product.id);
  const [row] = await sql`select id, seller_id, created_at from sales where id = ${bought.saleId}`;
  const sale = { id: bought.saleId, sellerId: row!.seller_id as string, createdAt: row!.created_at as Date };
  await makeTrackedBefore(sale, { state: "paid", status: "sent" });
  await makeTrackedBefore(sale, { state: "paid", status: "failed", responseStatus: 401, resend: 1 });
  await tellUtmify(sale.id);
  expect(await told(sale.id)).toBeUndefined();
  expect(await eventsOf(sale.id)).toMatchObject([
    { event: "pix.generated", status: "dropped", why: "outdated" },
    { event: "sale.paid", status: "refused", why: "token" },
  ]);
});

test("while a worker of a version before tells a state, the sale's next one waits", async () => {
  const { bought, seller } = await boughtBefore();
  await sql`update tracking_events set attempts = 1, attempted_at = now(), claimed_until = now() + interval '15 seconds'
    where sale_id = ${bought.saleId}`;
  await pay(app, bought);
  await tellUtmify(bought.saleId);
  expect(await told(bought.saleId)).toBeUndefined();
  expect(await eventsOf(bought.saleId)).toMatchObject([
    { event: "sale.paid", status: "queued", attempts: 0 },
  ]);
  await runJob(bought.saleId);
  const [job] =
    await sql`select run_at > now() as later from graphile_worker._private_jobs where key = ${`send-order:${bought.saleId}`}`;
  expect(job!.later).toBe(true);
  // It told it.
  await sql`update tracking_events set status = 'sent', claimed_until = null where sale_id = ${bought.saleId}`;
  await makeDue(await utmifyOf(seller.id));
  await tellUtmify(bought.saleId);
  expect(await told(bought.saleId)).toEqual(["paid"]);
});

test("however many bring a sale over while it is told, nothing is told twice", async () => {
  const { bought } = await boughtBefore();
  await pay(app, bought);
  const all = async () => {
    for (;;) {
      const taken = await claimNews(10);
      if (taken.length === 0) return;
      await Promise.all(taken.map((one) => tellNews(one, readNews)));
    }
  };
  await Promise.all([all(), all(), runJob(bought.saleId), bringOver(bought.saleId), all()]);
  await tellUtmify(bought.saleId);
  expect((await told(bought.saleId))!.filter((state) => state === "paid")).toHaveLength(1);
  expect((await orderOf(app, bought.saleId))!.violations).toEqual([]);
});

test("what a version before queues while a sale is being brought over is brought over next", async () => {
  const { bought, sale, seller } = await boughtBefore();
  // Who brings it over has read what is kept, and waits for whoever writes the same news.
  const { release } = await holdLock(
    async (tx) => tx`insert into outbox (destination_id, seller_id, sale_id, subject_id, about_id, event)
    values (${await utmifyOf(seller.id)}, ${seller.id}, ${sale.id}, ${sale.id}, ${sale.id}, 'pix.generated')`,
  );
  const bringing = bringOver(sale.id);
  await untilLockedOut();
  await makeTrackedBefore(sale, { state: "paid" });
  await release();
  await bringing;
  await runJob(sale.id);
  await tellUtmify(sale.id);
  expect(await told(bought.saleId)).toEqual(["waiting_payment", "paid"]);
});

test("log and count show what lies in either place, each once", async () => {
  const { bought, seller, product } = await boughtBefore("sent");
  const [first] = await listEvents(seller.id);
  expect(first).toMatchObject({ saleId: bought.saleId, state: "waiting_payment", status: "sent" });
  expect(first!.request).toContain('"document": "[oculto]"');
  await bringOver(bought.saleId);
  const events = await listEvents(seller.id);
  expect(events).toMatchObject([
    { saleId: bought.saleId, state: "waiting_payment", status: "sent", note: null },
  ]);
  expect(events[0]!.request).toContain('"document": "[oculto]"');
  const other = await makeSale(product, { status: "completed" });
  await makeTrackedBefore(other, { status: "queued" });
  expect(await countQueued(seller.id)).toBe(1);
  await bringOver(other.id);
  expect(await countQueued(seller.id)).toBe(1);
});

test("a sale's history tells of either place, and of what was moved once", async () => {
  const { bought } = await boughtBefore("sent");
  await pay(app, bought);
  const words = async () =>
    (await readTimeline(bought.saleId)).map(timelineWords).filter((line) => line.startsWith("UTMify"));
  expect((await words()).map((line) => line.split(": ")[1])).toEqual(["enviado", "na fila"]);
  await tellUtmify(bought.saleId);
  expect((await words()).map((line) => line.split(": ")[1])).toEqual(["enviado", "enviado"]);
  expect(new Set(await words()).size).toBe(2);
});

test("a connection is a destination, whoever saves it, and says what that may hear", async () => {
  const { product } = await openTrackedShop();
  const seller = { id: product.sellerId };
  const shown = async () => {
    const [row] =
      await sql`select events, product_ids, except_product_ids, settings, stopped_at is null as on, token_sealed
      from destinations where id = ${await utmifyOf(seller.id)}`;
    return row!;
  };
  const other = await makeProduct(seller);
  await sql`insert into tracking_products (product_id, is_enabled) values (${product.id}, false), (${other.id}, true)`;
  await sql`update tracking_connections set on_refund = false, api_url = 'https://example.com/o' where seller_id = ${seller.id}`;
  const [connection] =
    await sql`select api_token_sealed from tracking_connections where seller_id = ${seller.id}`;
  expect(await shown()).toMatchObject({
    events: ["pix.generated", "sale.refused", "sale.paid", "sale.chargedback"],
    // A version before asks this alone, and queues nothing here.
    product_ids: [],
    except_product_ids: [String(product.id)],
    settings: { apiUrl: "https://example.com/o", sourceId: "checkintelli" },
    on: true,
    token_sealed: connection!.api_token_sealed,
  });
  await sql`update tracking_products set is_enabled = true where product_id = ${product.id}`;
  await sql`update tracking_connections set api_token_sealed = null where seller_id = ${seller.id}`;
  expect(await shown()).toMatchObject({ except_product_ids: [], on: false, token_sealed: null });
  const rows = await sql`select from destinations where seller_id = ${seller.id} and kind = 'utmify'`;
  expect(rows).toHaveLength(1);
});

test("the migration makes a destination of each connection there is, and moves no queue", async () => {
  const { seller, bought } = await boughtBefore();
  await sql`delete from destinations where seller_id = ${seller.id}`;
  const statements = readFileSync("drizzle/0027_utmify_mirror.sql", "utf8").split("--> statement-breakpoint");
  await sql.unsafe(statements.at(-1)!);
  const [row] = await sql`select events, stopped_at, token_sealed is not null as "hasToken" from destinations
    where id = ${await utmifyOf(seller.id)}`;
  expect(row).toMatchObject({ stopped_at: null, hasToken: true });
  expect(row!.events).toHaveLength(6);
  expect(await sql`select status from tracking_events where sale_id = ${bought.saleId}`).toEqual([
    { status: "queued" },
  ]);
});

test("an order that a version before told keeps its platform, though the source was renamed before the migration", async () => {
  const { seller, bought, sale, product } = await boughtBefore("sent");
  await sql`update tracking_events set payload = payload || '{"platform": "LojaAntiga"}' where sale_id = ${sale.id}`;
  await sql.unsafe(readFileSync("drizzle/0028_utmify_former_names.sql", "utf8"));
  await pay(app, bought);
  await tellUtmify(sale.id);
  expect((await orderOf(app, sale.id))!.body.platform).toBe("LojaAntiga");
  await sql`update tracking_connections set source_id = 'loja-nova' where seller_id = ${seller.id}`;
  const next = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await tellUtmify(next.saleId);
  expect((await orderOf(app, next.saleId))!.body.platform).toBe("LojaNova");
});

test("a seller who chose products before connecting has them left out from the start", async () => {
  const { seller, product } = await openTrackedShop();
  await sql`delete from tracking_connections where seller_id = ${seller.id}`;
  await sql`insert into tracking_products (product_id, is_enabled) values (${product.id}, false)`;
  await makeTracking(seller);
  const { saleId } = await buy(product.id);
  expect(await eventsOf(saleId)).toEqual([]);
});
