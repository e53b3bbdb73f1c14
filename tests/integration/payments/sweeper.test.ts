import { beforeAll, expect, test } from "vitest";
import { buy, openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });
let shop: Awaited<ReturnType<typeof openShop>>;
let buyers = 0;

beforeAll(async () => {
  shop = await openShop();
  await app.sandbox.webhooks({ drop: true });
});

function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

/** What the scheduled jobs do every minute. */
async function sweep() {
  await sql`select graphile_worker.add_job('sweep-charges', '{}'::json, job_key => 'sweep-now')`;
}

test("without a webhook a scheduled check settles, and the provider is called at most once a minute", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  // Twenty tabs click the button before the payment: one check.
  const before = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.fetch(`/api/payments/pushinpay/status/${chargeId}?ask=1`).then((r) => r.json()),
    ),
  );
  expect(before.every((answer) => answer.status === "pending")).toBe(true);
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBe(1);
  await app.sandbox.pay(providerId);
  // Within the minute nothing checks again: neither the tabs nor the worker.
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  await until(async () => {
    const [charge] =
      await sql`select next_check_at > now() + interval '15 seconds' as later from charges where id = ${chargeId}`;
    return charge?.later;
  });
  await app.fetch(`/api/payments/pushinpay/status/${chargeId}?ask=1`);
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBe(1);
  // A minute later (for us and for the sandbox) the next check calls the provider, once.
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = last_checked_at - interval '61 seconds' where id = ${chargeId}`;
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  await until(async () => (await stateOf(saleId)).status === "completed");
  const { pushinpay } = await app.sandbox.calls();
  expect(pushinpay.perTransaction[providerId]).toBe(2);
  expect(pushinpay.gateRefusals).toBe(0);
  expect(await stateOf(saleId)).toMatchObject({ completions: 1, mails: 1 });
});

test("'Já paguei' settles at once where the gate is open", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  await app.sandbox.pay(providerId);
  const answer = await app.fetch(`/api/payments/pushinpay/status/${chargeId}?ask=1`);
  expect(await answer.json()).toMatchObject({ success: true, status: "completed" });
});

test("plain polling never reaches the provider", async () => {
  const { chargeId, providerId } = await buy(shop.product.id, someone());
  for (let i = 0; i < 5; i++) await app.fetch(`/api/payments/pushinpay/status/${chargeId}`);
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBeUndefined();
});

for (const mode of ["http-500", "http-429", "reset", "malformed"] as const) {
  test(`a check answered with ${mode} is repeated when the rate limit opens`, async () => {
    const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
    await app.sandbox.pay(providerId);
    await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode, times: 1 });
    const answer = await (await app.fetch(`/api/payments/pushinpay/status/${chargeId}?ask=1`)).json();
    expect(answer.status).toBe("pending");
    await app.sandbox.advance(61);
    await sql`update charges set last_checked_at = last_checked_at - interval '61 seconds', next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
    await until(async () => (await stateOf(saleId)).status === "completed");
  });
}

test("a charge the provider never answered is given up, and found by its webhook all the same", async () => {
  const { saleId, chargeId, providerId } = await buy(shop.product.id, someone());
  await sql`update charges set status = 'creating', provider_id = null, pix_code = null, created_at = now() - interval '3 minutes' where id = ${chargeId}`;
  await sweep();
  await until(async () => (await stateOf(saleId)).charges[0]!.status === "failed");
  await app.sandbox.webhooks({ drop: false });
  await app.sandbox.pay(providerId);
  await until(async () => (await stateOf(saleId)).status === "completed");
  await app.sandbox.webhooks({ drop: true });
});

test("unknown payments are not found, whatever their format", async () => {
  for (const id of ["x", crypto.randomUUID(), "'; drop table sales; --", "%00"]) {
    expect((await app.fetch(`/api/payments/pushinpay/status/${encodeURIComponent(id)}`)).status).toBe(404);
  }
});
