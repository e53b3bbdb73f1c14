import { beforeAll, beforeEach, expect, test } from "vitest";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { checkSale } from "#app/domain/settlement/check-sale.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { buy, openShop, order, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";

const app = await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
let buyers = 0;

beforeAll(async () => {
  // No webhook arrives in this file: checks find everything.
  await app.sandbox.webhooks({ drop: true });
});

beforeEach(async () => {
  await sql`delete from paced_checks`;
  shop = await openShop();
});

function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

/** A sale that is paid and booked. */
async function paid(productId = shop.product.id) {
  const bought = await buy(productId, someone());
  await app.sandbox.pay(bought.providerId);
  await checkCharge(bought.chargeId);
  return bought;
}

/** Time passes for all charges and for the provider's gate. */
async function pass(ms: number): Promise<void> {
  const gone = `${ms / 1000} seconds`;
  await sql`update charges set paid_at = paid_at - ${gone}::interval, created_at = created_at - ${gone}::interval,
    last_checked_at = last_checked_at - ${gone}::interval`;
  await sql`update paced_checks set scheduled_at = scheduled_at - ${gone}::interval`;
  await sql`update gateway_accounts set next_paced_check_at = next_paced_check_at - ${gone}::interval`;
  await app.sandbox.advance(61);
}

/** Works until nothing is scheduled, as a worker. @returns the number of checks */
async function work(): Promise<number> {
  let made = 0;
  for (let claimed = await claimPacedChecks(10); claimed.length > 0; claimed = await claimPacedChecks(10)) {
    await Promise.all(claimed.map((check) => pacedCheckQueue.handle(check)));
    made += claimed.length;
    await sql`update gateway_accounts set next_paced_check_at = now() where next_paced_check_at < now() + interval '2 seconds'`;
  }
  return made;
}

/** In how many milliseconds a charge is checked next; null: never. */
async function nextIn(chargeId: string): Promise<number | null> {
  const [row] = await sql`
    select extract(epoch from scheduled_at - now())::float8 * 1000 as ms from paced_checks where charge_id = ${chargeId}`;
  return row ? row.ms : null;
}

const countRequests = async (providerId: string) =>
  (await app.sandbox.calls()).pushinpay.perTransaction[providerId] ?? 0;

for (const { age, within } of [
  { age: 0, within: 24 * HOUR },
  { age: 5 * DAY, within: 24 * HOUR },
  { age: 8 * DAY, within: 3 * DAY },
  { age: 29 * DAY, within: 3 * DAY },
  { age: 31 * DAY, within: 7 * DAY },
  { age: 82 * DAY, within: 7 * DAY },
]) {
  test(`a refund at the provider ${age / DAY} days after payment is found within ${within / DAY} days without a webhook`, async () => {
    const { saleId, chargeId, providerId } = await paid();
    await pass(age);
    await work();
    const next = (await nextIn(chargeId))!;
    expect(next).toBeGreaterThan(within / 2);
    // With time for a backlog and for an account that is checked once an hour.
    expect(next).toBeLessThan(within - 90 * MINUTE);
    await app.sandbox.refund(providerId);
    await pass(next + MINUTE);
    expect(await work()).toBe(1);
    expect((await stateOf(saleId)).status).toBe("refunded");
    // All is back: nothing is left to find.
    await pass(8 * DAY);
    await work();
    expect(await nextIn(chargeId)).toBeNull();
  });
}

test("a payment that stays is checked about 26 times in 90 days, then never again, and leaves no line in its history", async () => {
  const { chargeId, providerId } = await paid();
  const lines = async () =>
    (await sql`select count(*)::int as n from charge_events where charge_id = ${chargeId}`)[0]!.n;
  const before = { requests: await countRequests(providerId), lines: await lines() };
  let age = 0;
  for (let next = await nextIn(chargeId); next !== null; next = await nextIn(chargeId)) {
    age += next + MINUTE;
    await pass(next + MINUTE);
    expect(await work()).toBe(1);
  }
  const requested = (await countRequests(providerId)) - before.requests;
  expect(requested).toBeGreaterThan(20);
  expect(requested).toBeLessThan(32);
  expect(age).toBeGreaterThan(90 * DAY);
  expect(age).toBeLessThan(90 * DAY + HOUR);
  expect(await lines()).toBe(before.lines);
  expect((await app.sandbox.calls()).pushinpay.gateRefusals).toBe(0);
});

test("a second payment and one of another amount are checked as long as they hold money", async () => {
  const { saleId } = await placeSale(order(shop.product.id, someone()));
  const first = await startPix(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${first.chargeId}`;
  const second = await startPix(saleId);
  const wrong = await buy(shop.product.id, someone());
  const ids =
    await sql`select id, provider_id from charges where id in (${first.chargeId}, ${second.chargeId}) order by created_at`;
  for (const { provider_id, id } of ids) {
    await app.sandbox.pay(provider_id);
    await checkCharge(id);
  }
  await app.sandbox.post(`/transactions/${wrong.providerId}/pay`, { value: 100 });
  await checkCharge(wrong.chargeId);
  expect((await stateOf(saleId)).charges.map(({ surplus: overpaid }) => overpaid)).toEqual([false, true]);
  expect((await stateOf(wrong.saleId)).charges[0]!.status).toBe("mispaid");
  await app.sandbox.refund(ids.find(({ id }) => id === second.chargeId)!.provider_id);
  await app.sandbox.refund(wrong.providerId);
  await pass(DAY);
  expect(await work()).toBe(3);
  const back = await sql`select charge_id, amount_cents, origin from refunds
    where charge_id in (${second.chargeId}, ${wrong.chargeId}) order by amount_cents`;
  expect(back.map(({ amount_cents, origin }) => [amount_cents, origin])).toEqual([
    [100, "observed"],
    [9700, "observed"],
  ]);
  expect((await stateOf(saleId)).status).toBe("completed");
});

test("however many workers at once: each charge is checked once, an account's one after the other", async () => {
  const all = [await paid(), await paid(), await paid()];
  await pass(DAY);
  const before = await Promise.all(all.map(({ providerId }) => countRequests(providerId)));
  const claimed = (await Promise.all(Array.from({ length: 10 }, () => claimPacedChecks(4)))).flat();
  expect(claimed).toHaveLength(1);
  // A worker woke up with it after another had claimed it.
  await Promise.all([1, 2, 3].map(() => pacedCheckQueue.handle(claimed[0]!)));
  expect(await claimPacedChecks(4)).toEqual([]);
  await sql`update gateway_accounts set next_paced_check_at = now()`;
  await work();
  const after = await Promise.all(all.map(({ providerId }) => countRequests(providerId)));
  expect(after).toEqual(before.map((times) => times + 1));
  expect((await app.sandbox.calls()).pushinpay.gateRefusals).toBe(0);
});

test("a seller with many scheduled checks does not delay others", async () => {
  for (let i = 0; i < 4; i++) await paid();
  const other = await openShop();
  const one = await paid(other.product.id);
  await pass(2 * DAY);
  await sql`update paced_checks set scheduled_at = now() where charge_id = ${one.chargeId}`;
  const claimed = await claimPacedChecks(2);
  expect(claimed.map(({ sellerId }) => sellerId).sort()).toEqual([shop.seller.id, other.seller.id].sort());
});

test("while the provider is down an account is checked once a minute, and finds the refund afterwards", async () => {
  const { saleId, chargeId, providerId } = await paid();
  await paid();
  await app.sandbox.refund(providerId);
  await pass(DAY);
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "http-500", times: 100 });
  expect(await work()).toBe(1);
  const [account] = await sql`select extract(epoch from next_paced_check_at - now())::float8 as s
    from gateway_accounts where seller_id = ${shop.seller.id}`;
  expect(account!.s).toBeGreaterThan(50);
  expect(account!.s).toBeLessThan(70);
  expect(await nextIn(chargeId)).toBeLessThanOrEqual(HOUR);
  await app.sandbox.fault({ service: "pushinpay", mode: "http-500", times: 0 });
  await pass(2 * HOUR);
  await work();
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("payments of an account that was replaced do not delay checks of the one that replaced it", async () => {
  const old = [await paid(), await paid()];
  await saveGateways(shop.seller.id, { pushinpay_api_key: "2|sandbox-outra" });
  const { saleId, providerId } = await paid();
  await app.sandbox.refund(providerId);
  await pass(DAY);
  // The old account's key is refused, and the new one does not know its payments.
  await sql`update gateway_keys set api_key_sealed = ${seal("revogada")}
    where id in (select gateway_key_id from charges where id in (${old[0]!.chargeId}, ${old[1]!.chargeId}))`;
  expect(await work()).toBe(3);
  expect((await stateOf(saleId)).status).toBe("refunded");
  // Nothing is expected until another key is saved.
  for (const { chargeId } of old) expect(await nextIn(chargeId)).toBeGreaterThan(12 * HOUR);
});

test("an account without due charges is read again with its next one, and within the hour", async () => {
  const { chargeId } = await paid();
  const minutesUntilRead = async () => {
    await sql`update gateway_accounts set next_paced_check_at = now() - interval '1 second' where seller_id = ${shop.seller.id}`;
    expect(await claimPacedChecks(10)).toEqual([]);
    const [account] = await sql`select extract(epoch from next_paced_check_at - now())::float8 / 60 as minutes
      from gateway_accounts where seller_id = ${shop.seller.id}`;
    // The column is rounded to a millisecond, so that it may be a little more than the limit.
    return Math.round(account!.minutes);
  };
  for (const [scheduled, read] of [
    ["10 minutes", 10],
    ["3 days", 60],
  ] as const) {
    await sql`update paced_checks set scheduled_at = now() + ${scheduled}::interval where charge_id = ${chargeId}`;
    expect(await minutesUntilRead(), scheduled).toBe(read);
  }
  await sql`delete from paced_checks where charge_id = ${chargeId}`;
  expect(await minutesUntilRead(), "none").toBe(60);
});

test("a dead worker's charge is checked by another when its lease ends", async () => {
  const { saleId, providerId } = await paid();
  await app.sandbox.refund(providerId);
  await pass(DAY);
  expect(await claimPacedChecks(1)).toHaveLength(1);
  expect(await claimPacedChecks(1)).toEqual([]);
  await pass(MINUTE);
  await work();
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("a seller who checks a paid sale finds the refund without a webhook, and is told if nothing changed", async () => {
  const { saleId, providerId } = await paid();
  const check = () => checkSale(shop.seller.id, saleId);
  expect(await check()).toMatchObject({ kind: "gate" });
  await pass(HOUR);
  expect(await check()).toMatchObject({ kind: "checked", outcome: "still-paid" });
  await app.sandbox.refund(providerId);
  await pass(HOUR);
  expect(await check()).toMatchObject({ kind: "checked", outcome: "refunded" });
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("a seller who checks a sale learns of its code that is not paid before its payment is checked again", async () => {
  const { saleId, chargeId } = await buy(shop.product.id, someone());
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  const second = await startPix(saleId);
  const [code] = await sql`select provider_id from charges where id = ${second.chargeId}`;
  await app.sandbox.pay(code!.provider_id);
  expect(await checkCharge(second.chargeId)).toMatchObject({ outcome: "settled" });
  await pass(HOUR);
  const check = () => checkSale(shop.seller.id, saleId);
  expect(await check()).toMatchObject({ kind: "checked", outcome: "not-paid" });
  expect(await check()).toMatchObject({ kind: "gate" });
});

test("a check that is scheduled anew while its answer is booked is made again", async () => {
  const { chargeId } = await paid();
  await pass(DAY);
  const [claimed] = await claimPacedChecks(10);
  const { release } = await holdLock(
    (tx) =>
      tx`update paced_checks set scheduled_at = now() - interval '1 minute' where charge_id = ${chargeId}`,
  );
  const handled = pacedCheckQueue.handle(claimed!);
  await untilLockedOut();
  await release();
  await handled;
  expect(await nextIn(chargeId)).toBeLessThan(0);
});
