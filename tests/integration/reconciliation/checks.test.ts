import { beforeAll, expect, test } from "vitest";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { scheduleReconciliation } from "#app/domain/reconciliation/schedule-reconciliation.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import * as page from "#app/routes/seller/reports/reconciliation/reconciliation.tsx";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { monthAt } from "#tests/integration/reconciliation/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const app = await startApp({ web: 0, worker: 0 });
let buyers = 0;

beforeAll(async () => {
  // No webhook arrives in this file: checks find everything.
  await app.sandbox.webhooks({ drop: true });
});

/** A shop with payments that are booked. */
async function shopWithPayments(count: number) {
  const shop = await openShop();
  const paid: Awaited<ReturnType<typeof buy>>[] = [];
  for (let at = 0; at < count; at++) {
    const customer = { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null };
    const bought = await buy(shop.product.id, order(shop.product.id, { customer }));
    await app.sandbox.pay(bought.providerId);
    expect(await checkCharge(bought.chargeId)).toMatchObject({ outcome: "settled" });
    paid.push(bought);
  }
  /** When they were paid; a test that runs at midnight moves it to the day before. */
  const paidAt = async () => {
    const [row] = await sql`select max(paid_at) as at from charges where seller_id = ${shop.seller.id}`;
    return (row!.at as Date | null) ?? new Date();
  };
  const read = async () => {
    const { days, differences } = await monthAt(shop.seller.id, await paidAt());
    return { ...days[0]!, kinds: differences.map(({ kind }) => kind) };
  };
  const press = async () =>
    scheduleReconciliation(shop.seller.id, readReconciledDays(new URLSearchParams(), await paidAt()));
  return { ...shop, paid, read, press };
}

/** Two minutes pass for all charges and for the provider's gate. */
async function pass(): Promise<void> {
  await sql`update charges set paid_at = paid_at - interval '2 minutes', last_checked_at = last_checked_at - interval '2 minutes'`;
  await sql`update charge_events set at = at - interval '2 minutes'`;
  await sql`update gateway_accounts set next_paced_check_at = next_paced_check_at - interval '2 minutes'`;
  await app.sandbox.advance(121);
}

/** Works until nothing is scheduled, as a worker. @returns the number of checks */
async function work(): Promise<number> {
  let made = 0;
  for (let claimed = await claimPacedChecks(10); claimed.length > 0; claimed = await claimPacedChecks(10)) {
    for (const check of claimed) await pacedCheckQueue.handle(check);
    made += claimed.length;
    await sql`update gateway_accounts set next_paced_check_at = now() where next_paced_check_at < now() + interval '2 seconds'`;
  }
  return made;
}

const answersOf = async (chargeId: string) =>
  (
    await sql`select data->>'state' as state from charge_events where charge_id = ${chargeId} and kind = 'asked' order by id`
  ).map(({ state }) => state);

test("one press has each payment checked once, also if it is repeated, and then everything agrees", async () => {
  const { read, press, paid } = await shopWithPayments(3);
  expect(await read()).toMatchObject({
    payments: 3,
    unchecked: 3,
    scheduled: 0,
    feeCents: 3 * 35,
    withoutFee: 0,
  });
  await pass();
  expect([await press(), await press()]).toEqual([3, 3]);
  expect(await read()).toMatchObject({ unchecked: 3, scheduled: 3 });
  await pass();
  expect(await work()).toBe(3);
  expect(await read()).toMatchObject({ unchecked: 0, scheduled: 0, confirmed: 3, differences: 0, kinds: [] });
  expect((await read()).confirmedAt!.getTime()).toBeGreaterThan(Date.now() - 60_000);
  // A later check with the same answer adds nothing to a sale's history.
  await pass();
  await sql`update paced_checks set scheduled_at = now()`;
  await sql`update gateway_accounts set next_paced_check_at = now()`;
  expect(await work()).toBe(3);
  expect(await answersOf(paid[0]!.chargeId)).toEqual(["paid", "paid"]);
  expect(await press()).toBe(0);
});

test("a check without an answer confirms nothing, and one that finds no transaction is a difference until it is found", async () => {
  const { read, press, paid, seller } = await shopWithPayments(1);
  const [{ chargeId, providerId }] = paid as [(typeof paid)[0]];
  await pass();
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "http-500", times: 1 });
  await press();
  await pass();
  expect(await work()).toBe(1);
  expect(await read()).toMatchObject({ unchecked: 1, confirmed: 0, kinds: [] });
  await sql`update charges set provider_id = ${crypto.randomUUID()} where id = ${chargeId}`;
  for (let twice = 0; twice < 2; twice++) {
    await pass();
    await press();
    await pass();
    expect(await work()).toBe(1);
    expect(await read()).toMatchObject({
      unchecked: 0,
      confirmed: 0,
      differences: 1,
      kinds: ["unknown-there"],
    });
  }
  await sql`update charges set provider_id = ${providerId} where id = ${chargeId}`;
  await pass();
  expect(await press()).toBe(1);
  await pass();
  await work();
  expect(await read()).toMatchObject({ confirmed: 1, differences: 0, kinds: [] });
  expect(await answersOf(chargeId)).toEqual(["paid", "unknown", "paid"]);
  expect(
    await sql`select 1 from gateway_accounts where seller_id = ${seller.id} and key_refused_at is not null`,
  ).toEqual([]);
});

test("a payment of a replaced account whose key is refused is said to be uncheckable, and told of once", async () => {
  const { read, press, paid, seller } = await shopWithPayments(1);
  const { chargeId } = paid[0]!;
  await saveGateways(seller.id, { pushinpay_api_key: "2|sandbox-outra" });
  await sql`update gateway_keys set api_key_sealed = ${seal("revogada")}
    where id = (select gateway_key_id from charges where id = ${chargeId})`;
  for (let twice = 0; twice < 2; twice++) {
    await pass();
    await press();
    await pass();
    expect(await work()).toBe(1);
    expect(await read()).toMatchObject({
      unchecked: 0,
      confirmed: 0,
      uncheckable: 1,
      kinds: ["key-refused"],
    });
  }
  const events = await sql`select 1 from charge_events where charge_id = ${chargeId} and kind = 'unanswered'`;
  expect(events).toHaveLength(1);
});

test("a refund made at the provider is found by a press, and explained", async () => {
  const { read, press, paid } = await shopWithPayments(1);
  await app.sandbox.refund(paid[0]!.providerId);
  await pass();
  await press();
  await pass();
  await work();
  expect(await read()).toMatchObject({
    ...{ confirmed: 1, differences: 0, explained: 1, refundedCents: 9700, completedSales: 0 },
    kinds: ["refund-observed"],
  });
});

test("a press is limited by seller, and says how long to wait", async () => {
  const { seller } = await shopWithPayments(0);
  const [mine, other] = [await signedIn(seller), await signedIn((await openShop()).seller)];
  const press = (headers: Record<string, string>) =>
    call(page, "/reports/conciliacao?month=2026-10", {
      method: "POST",
      headers,
      body: new URLSearchParams({ intent: "check" }),
    });
  for (let at = 0; at < 20; at++) {
    const answer = await press(mine);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      302,
      "/reports/conciliacao?month=2026-10",
    ]);
  }
  const refused = await press(mine);
  expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect((await press(other)).status).toBe(302);
});
