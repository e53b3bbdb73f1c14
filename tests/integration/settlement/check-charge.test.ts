import { expect, test, vi } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { pushinpay } from "#app/domain/gateway/providers/pushinpay/provider.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { checkCharge, OtherAccountError } from "#app/domain/settlement/check-charge.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { metricsText } from "#app/platform/metrics.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { cardShop, checkPaid, sellByCard } from "#tests/integration/cards/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
// Checks find everything.
await app.sandbox.webhooks({ drop: true });

/** A code that waits for its payment. */
async function makeCode() {
  const { product } = await openShop();
  return buy(product.id);
}

/** Checks a code once its process has gone on, after it was held up for a while between gate and call. */
async function checkAfterPause(ms: number) {
  const { chargeId } = await makeCode();
  vi.useFakeTimers({ toFake: ["performance"] });
  // A process that has run for a while.
  vi.advanceTimersByTime(60 * SECOND);
  const { release } = await holdLock(
    (tx) => tx`select from charges where id = ${chargeId} for no key update`,
  );
  try {
    const checking = checkCharge(chargeId);
    await untilLockedOut();
    vi.advanceTimersByTime(ms);
    await release();
    return await checking;
  } finally {
    vi.useRealTimers();
    await release();
  }
}

test("a charge that was checked while the database's clock was ahead is checked at once, and not again within a minute", async () => {
  const { chargeId } = await makeCode();
  await sql`update charges set last_checked_at = now() + interval '3 hours' where id = ${chargeId}`;
  expect(await checkCharge(chargeId)).toMatchObject({ kind: "checked", outcome: "not-paid" });
  expect(await checkCharge(chargeId)).toMatchObject({ kind: "gate" });
});

test("a process that was held up for ten seconds calls the provider still, for longer no more", async () => {
  let begun = Date.now();
  const asked = await checkAfterPause(10 * SECOND);
  expect(asked).toEqual({ kind: "checked", outcome: "not-paid", opensAt: expect.any(Date) });
  const reopensAt = (asked as { opensAt: Date }).opensAt.getTime();
  expect(reopensAt).toBeGreaterThanOrEqual(begun + pushinpay.minCheckIntervalMs);
  expect(reopensAt).toBeLessThanOrEqual(Date.now() + pushinpay.minCheckIntervalMs);
  begun = Date.now();
  const late = await checkAfterPause(10 * SECOND + 1);
  // As if the call had taken all the time it may take: the gate stays closed for other processes.
  const closedFor = 15 * SECOND + pushinpay.minCheckIntervalMs;
  expect(late).toEqual({ kind: "gate", opensAt: expect.any(Date) });
  const opensAt = (late as { opensAt: Date }).opensAt.getTime();
  expect(opensAt).toBeGreaterThanOrEqual(begun + closedFor);
  expect(opensAt).toBeLessThanOrEqual(Date.now() + closedFor);
});

test("a payment is counted when a check books it, and no other answer is", async () => {
  const counted = async () => {
    const series = 'checkintelli_payments_settled_total{learned="question"} ';
    const line = (await metricsText()).split("\n").find((one) => one.startsWith(series));
    return Number(line!.slice(series.length));
  };
  const { chargeId, providerId } = await makeCode();
  const before = await counted();
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "not-paid" });
  expect(await counted()).toBe(before);
  await app.sandbox.pay(providerId);
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "settled" });
  expect(await counted()).toBe(before + 1);
});

test("the history keeps 300 characters of why a check failed", async () => {
  const { chargeId } = await makeCode();
  await app.sandbox.fault({
    ...{ service: "pushinpay", route: "transaction", mode: "status-500" },
    body: { message: "x".repeat(400) },
  });
  await expect(checkCharge(chargeId)).rejects.toMatchObject({ kind: "busy" });
  const [event] =
    await sql`select data from charge_events where charge_id = ${chargeId} and kind = 'unanswered'`;
  expect(event!.data.detail).toBe(`500: ${"x".repeat(295)}`);
});

test("routine checks of a payment, and of its dispute, leave a line only where the answer is a new one", async () => {
  const shop = await cardShop();
  await app.sandbox.post("/mercadopago", { accessToken: shop.apiKey, webhookUrl: null });
  const { chargeId, providerId } = await sellByCard(app, shop.product.id);
  // Answers of its first seconds do not count as checks after the booking.
  await sql`update charges set paid_at = paid_at - interval '1 minute' where id = ${chargeId}`;
  const checked = async () => {
    const outcome = await checkPaid(chargeId);
    const rows = await sql`select data ->> 'state' as state from charge_events
      where charge_id = ${chargeId} and kind = 'asked' order by id`;
    return { outcome, states: rows.map(({ state }) => state as string) };
  };
  const { outcome, states } = await checked();
  expect([outcome, states.at(-1)]).toEqual(["still-paid", "paid"]);
  expect(await checked()).toEqual({ outcome: "still-paid", states });
  await app.sandbox.post(`/transactions/${providerId}/chargeback`, {});
  const disputed = { outcome: "disputed", states: [...states, "disputed"] };
  expect(await checked()).toEqual(disputed);
  expect(await checked()).toEqual(disputed);
  // Here it was over.
  await sql`delete from disputes where charge_id = ${chargeId}`;
  await sql`update sales set status = 'completed' where id = (select sale_id from charges where id = ${chargeId})`;
  const again = { outcome: "disputed", states: [...disputed.states, "disputed"] };
  expect(await checked()).toEqual(again);
  await app.sandbox.post(`/transactions/${providerId}/reject`, {});
  expect(await checked()).toEqual({ outcome: "dispute-won", states: [...again.states, "paid"] });
});

test("a booked payment is checked unasked only after a refund that was refused, once", async () => {
  const { chargeId, providerId } = await makeCode();
  await app.sandbox.pay(providerId);
  await checkCharge(chargeId);
  const check = async (isScheduled: boolean) => {
    await app.sandbox.advance(61);
    await sql`update charges set last_checked_at = null,
      next_check_at = case when ${isScheduled} then now() + interval '1 hour' end where id = ${chargeId}`;
    return (await checkCharge(chargeId)).kind;
  };
  expect([await check(true), await check(false)]).toEqual(["nothing", "nothing"]);
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at, failure_kind)
    select id, seller_id, 9700, 'refused', 'requested', now(), 'refused' from charges where id = ${chargeId}`;
  expect([await check(true), await check(false)]).toEqual(["checked", "nothing"]);
});

test("a payment that its provider calls cancelled again and again has one line of it", async () => {
  const { chargeId, providerId } = await makeCode();
  await app.sandbox.pay(providerId);
  await checkCharge(chargeId);
  await sql`update charges set paid_at = paid_at - interval '1 minute' where id = ${chargeId}`;
  const body = { id: providerId.toUpperCase(), status: "canceled", value: "9700" };
  for (let times = 0; times < 2; times++) {
    await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-200", body });
    expect(await checkPaid(chargeId)).toBe("not-refunded");
  }
  const rows = await sql`select data ->> 'state' as state from charge_events
    where charge_id = ${chargeId} and kind = 'asked' order by id`;
  expect(rows.map(({ state }) => state)).toEqual(["paid", "cancelled"]);
});

test("a paid card whose order is cancelled afterwards waits for its seller, as a PIX does", async () => {
  const { seller, product } = await cardShop();
  const { saleId, chargeId, providerId } = await sellByCard(app, product.id);
  await app.sandbox.post(`/transactions/${providerId}/cancel`, { paid: true });
  expect(await checkPaid(chargeId)).toBe("not-refunded");
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "cancelled-after-paid", saleId }]);
});

test("a code whose key is refused is checked with the one that its account has by now", async () => {
  const { chargeId } = await makeCode();
  await sql`with key as (insert into gateway_keys (seller_id, provider, api_key_sealed)
      select seller_id, 'pushinpay', ${seal("1|sandbox-demo")} from charges where id = ${chargeId} returning id, seller_id)
    update gateway_accounts a set key_id = key.id from key where a.seller_id = key.seller_id and a.provider = 'pushinpay'`;
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-401", times: 1 });
  expect(await checkCharge(chargeId)).toMatchObject({ kind: "checked", outcome: "not-paid" });
});

test("a current key that may not see an older account's payment does not count as refused", async () => {
  const { chargeId } = await makeCode();
  const [{ sellerId }] = await sql<[{ sellerId: string }]>`
    with key as (insert into gateway_keys (seller_id, provider, api_key_sealed)
      select seller_id, 'pushinpay', ${seal("2|sandbox-demo")} from charges where id = ${chargeId} returning id, seller_id)
    update gateway_accounts a set key_id = key.id from key where a.seller_id = key.seller_id and a.provider = 'pushinpay'
    returning a.seller_id as "sellerId"`;
  vi.spyOn(pushinpay, "findTransaction")
    .mockRejectedValueOnce(new ProviderError("credentials", "401: Não."))
    .mockRejectedValueOnce(new ProviderError("credentials", "403: Não.", true));
  await expect(checkCharge(chargeId)).rejects.toBeInstanceOf(OtherAccountError);
  expect(await findRefusedAccounts(sellerId)).toEqual([]);
});

test("while its provider is asked, a charge is checked again soon if the process dies, unless nothing is expected of it", async () => {
  const { chargeId, providerId } = await makeCode();
  const secondsDuring = async (check: () => Promise<unknown>) => {
    await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "slow-400", times: 1 });
    await sql`update charges set last_checked_at = null where id = ${chargeId}`;
    const checking = check();
    const read = async () => {
      const [row] = await sql`select last_checked_at > now() as "isReserved",
        extract(epoch from next_check_at - last_checked_at)::float8 as seconds from charges where id = ${chargeId}`;
      return row!;
    };
    await until(async () => (await read()).isReserved, { what: "the call to be reserved" });
    const { seconds } = await read();
    await checking;
    return seconds === null ? null : Math.round(seconds);
  };
  expect(await secondsDuring(() => checkCharge(chargeId))).toBe(pushinpay.minCheckIntervalMs / SECOND);
  await app.sandbox.pay(providerId);
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "settled" });
  await app.sandbox.advance(61);
  expect(await secondsDuring(() => checkPaid(chargeId))).toBeNull();
});
