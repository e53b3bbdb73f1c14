import { expect, test } from "vitest";
import { countQueued, listEvents } from "#app/domain/delivery/utmify/list-events.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { utmifyOf } from "#tests/integration/tracking/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

/** A seller with two sales and UTMify, which no event was sent to yet. */
async function tracked() {
  const seller = await makeSeller();
  await makeTracking(seller);
  const product = await makeProduct(seller);
  const sales = [
    await makeSale(product, { status: "completed" }),
    await makeSale(product, { status: "completed" }),
  ] as const;
  return { seller, sales, utmify: await utmifyOf(seller.id) };
}

test("the log has what was attempted or dropped, by the last attempt, and of no other destination or seller", async () => {
  const { seller, sales, utmify } = await tracked();
  const saleId = sales[0].id;
  const sent = { status: "sent", reason: "taken", attempts: 1, attemptedAt: ago(3) } as const;
  const first = await makeDelivery(seller, utmify, { saleId, ...sent });
  const retried = { status: "queued", attempts: 1, attemptedAt: ago(1) } as const;
  const second = await makeDelivery(seller, utmify, { saleId, ...retried });
  await makeDelivery(seller, utmify, { saleId, status: "queued", reason: null, attempts: 0 });
  const dropped = { status: "dropped", reason: "outdated", attempts: 0, createdAt: ago(2) } as const;
  const third = await makeDelivery(seller, utmify, { saleId, ...dropped });
  await sql`update destinations set deleted_at = now(), stopped_at = now(), stopped_reason = 'seller' where id = ${utmify}`;
  await makeTracking(seller);
  const current = await utmifyOf(seller.id);
  const fourth = await makeDelivery(seller, current, { saleId, ...sent, attemptedAt: ago(4) });
  await makeDelivery(seller, await makeWebhook(seller, { name: "no-utmify" }), { saleId, ...sent });
  const stranger = await tracked();
  await makeDelivery(stranger.seller, stranger.utmify, { saleId: stranger.sales[0].id, ...sent });
  const events = await listEvents(seller.id);
  expect(events.map(({ id, status }) => [id, status])).toEqual([
    [second, "queued"],
    [third, "dropped"],
    [first, "sent"],
    [fourth, "sent"],
  ]);
});

test("what waits for UTMify is counted, and nothing that waits for others", async () => {
  const { seller, sales, utmify } = await tracked();
  const waiting = { saleId: sales[0].id, status: "queued", reason: null } as const;
  await makeDelivery(seller, utmify, { ...waiting, attempts: 0 });
  await makeDelivery(seller, utmify, { ...waiting, attempts: 1 });
  await makeDelivery(seller, utmify, { saleId: sales[0].id, status: "sent" });
  await makeDelivery(seller, await makeWebhook(seller, { name: "waits-too" }), waiting);
  const stranger = await tracked();
  await makeDelivery(stranger.seller, stranger.utmify, { ...waiting, saleId: stranger.sales[0].id });
  expect(await countQueued(seller.id)).toBe(2);
});

test("an event is listed with the payment that counts, or the newest code, and without the buyer's document", async () => {
  const { seller, sales, utmify } = await tracked();
  const [paid, unpaid] = sales;
  const order = { orderId: paid.id, customer: { name: "Bia", document: "52998224725" } };
  const bodySealed = seal(JSON.stringify(order));
  await makeDelivery(seller, utmify, { saleId: paid.id, status: "sent", attemptedAt: ago(1), bodySealed });
  const anonymous = seal(JSON.stringify({ customer: { name: "Bia", document: null } }));
  await makeDelivery(seller, utmify, { saleId: unpaid.id, attemptedAt: ago(2), bodySealed: anonymous });
  await makeDelivery(seller, utmify, { saleId: unpaid.id, attemptedAt: ago(3) });
  const counts = await makeCharge(paid, { status: "paid", createdAt: ago(3) });
  await makeCharge(paid, { status: "expired", createdAt: ago(2) });
  await makeCharge(paid, { status: "paid", createdAt: ago(1), overpaidAt: ago(1) });
  await makeCharge(unpaid, { status: "expired", createdAt: ago(3) });
  const newest = await makeCharge(unpaid, { status: "expired", createdAt: ago(1) });
  await makeCharge(unpaid, { status: "expired", createdAt: ago(2) });
  const events = await listEvents(seller.id);
  expect(events.map(({ transactionId }) => transactionId)).toEqual([
    counts.providerId,
    newest.providerId,
    newest.providerId,
  ]);
  const hidden = { ...order, customer: { name: "Bia", document: "[oculto]" } };
  expect(events.map(({ request }) => request)).toEqual([
    JSON.stringify(hidden, null, 2),
    JSON.stringify({ customer: { name: "Bia", document: null } }, null, 2),
    "{}",
  ]);
});
