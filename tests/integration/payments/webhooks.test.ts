import { beforeAll, expect, test } from "vitest";
import { buy, openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });
let shop: Awaited<ReturnType<typeof openShop>>;

beforeAll(async () => {
  shop = await openShop();
});

/** Waits for the sale's end and one mail at the provider, then checks that nothing happened twice. */
async function expectPaidOnce(saleId: string, email: string) {
  await until(async () => (await stateOf(saleId)).status === "completed");
  await until(async () => purchases(await app.sandbox.emails(email)).length === 1);
  await until(async () => (await openWork()) === 0, { what: "all that is due to be done" });
  expect(await stateOf(saleId)).toMatchObject({ completions: 1, mails: 1 });
  expect(purchases(await app.sandbox.emails(email))).toHaveLength(1);
}

/** Log lines arrive shortly after the event. */
function untilLogged(fields: Record<string, unknown>) {
  return until(
    () => app.log().some((line) => Object.entries(fields).every(([name, value]) => line[name] === value)),
    { what: `the log to say ${JSON.stringify(fields)}` },
  );
}

function purchases(emails: { body: { subject: string } }[]) {
  return emails.filter((e) => e.body.subject.startsWith("Sua compra foi aprovada"));
}

async function openWork() {
  const [row] = await sql`select
    (select count(*) from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts)::int
    + (select count(*) from charges where next_check_at <= now() + interval '10 seconds')::int as open`;
  return row!.open as number;
}

let buyers = 0;
function buyer() {
  const email = `bia${++buyers}@exemplo.com.br`;
  return { email, fields: { customer: { name: "Bia", email, phone: null, document: null } } };
}

for (const encoding of ["form", "json"] as const) {
  for (const idCase of ["upper", "lower"] as const) {
    test(`the same ${encoding} webhook with ${idCase}case id three times settles once`, async () => {
      await app.sandbox.webhooks({ encoding, idCase, copies: 3 });
      const { email, fields } = buyer();
      const { saleId, providerId } = await buy(shop.product.id, fields);
      await app.sandbox.pay(providerId);
      await expectPaidOnce(saleId, email);
    });
  }
}

test("ten webhooks at once settle once", async () => {
  await app.sandbox.webhooks({ encoding: "form", idCase: "upper", copies: 10 });
  const { email, fields } = buyer();
  const { saleId, providerId } = await buy(shop.product.id, fields);
  await app.sandbox.pay(providerId, { wait: true });
  await expectPaidOnce(saleId, email);
  const inbox =
    await sql`select 1 from payment_webhooks w join charges c on c.id = w.charge_id where c.sale_id = ${saleId}`;
  expect(inbox).toHaveLength(1);
  const { pushinpay } = await app.sandbox.calls();
  expect(pushinpay.perTransaction[providerId]).toBe(1);
});

test("a `created` that arrives after `paid` changes nothing", async () => {
  await app.sandbox.webhooks({ copies: 1, order: "reversed" });
  const { email, fields } = buyer();
  const { saleId, providerId } = await buy(shop.product.id, fields);
  await app.sandbox.pay(providerId, { wait: true });
  await app.sandbox.webhooks({ order: "normal" });
  await expectPaidOnce(saleId, email);
});

test("a forged `paid` while the provider reports `created` settles nothing", async () => {
  const { fields } = buyer();
  const { saleId, chargeId, providerId } = await buy(shop.product.id, fields);
  await app.sandbox.pay(providerId, { webhookOnly: true, wait: true });
  await until(() =>
    app
      .log()
      .some(
        (line) => line.msg === "charge checked" && line.chargeId === chargeId && line.outcome === "not-paid",
      ),
  );
  expect((await stateOf(saleId)).status).toBe("pending");
});

test("a payment of another amount settles nothing and is logged", async () => {
  const { fields } = buyer();
  const { saleId, chargeId, providerId } = await buy(shop.product.id, fields);
  await app.sandbox.pay(providerId, { value: 50, wait: true });
  await until(async () => (await stateOf(saleId)).charges[0]!.status === "mispaid");
  expect((await stateOf(saleId)).status).toBe("pending");
  await untilLogged({ level: 50, chargeId, msg: "provider confirmed another amount: not settled" });
});

test("an unknown transaction is answered 200 and remembered as such", async () => {
  const [{ hook_token: hook } = { hook_token: "" }] =
    await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  const answer = await app.fetch(`/api/webhooks/pushinpay/${hook}`, {
    method: "POST",
    body: new URLSearchParams({ id: "11111111-2222-4333-8444-555555555555", status: "paid", value: "9700" }),
  });
  expect(answer.status).toBe(200);
  await untilLogged({ msg: "webhook for an unknown charge", word: "paid" });
});

test("an invalid body is answered 400, a large one 413, a wrong address 404, and it is logged", async () => {
  const [{ hook_token: hook } = { hook_token: "" }] =
    await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  for (const body of [
    "",
    "{",
    "\u0000\u0001",
    "id=&status=",
    "[]",
    JSON.stringify({ id: 7 }),
    "x".repeat(10_000),
  ]) {
    const answer = await app.fetch(`/api/webhooks/pushinpay/${hook}`, { method: "POST", body });
    expect(answer.status, JSON.stringify(body.slice(0, 20))).toBe(400);
  }
  expect(
    (await app.fetch("/api/webhooks/pushinpay/wrong", { method: "POST", body: "id=12345678&status=paid" }))
      .status,
  ).toBe(404);
  expect(
    (await app.fetch(`/api/webhooks/other/${hook}`, { method: "POST", body: "id=12345678&status=paid" }))
      .status,
  ).toBe(404);
  expect(
    (await app.fetch(`/api/webhooks/pushinpay/${hook}`, { method: "POST", body: "x".repeat(70_000) })).status,
  ).toBe(413);
  expect((await app.fetch(`/api/webhooks/pushinpay/${hook}`)).status).toBe(200);
  await untilLogged({ msg: "webhook refused", why: "rubbish" });
});

test("another seller's address cannot settle this seller's charge", async () => {
  const other = await openShop();
  const { fields } = buyer();
  const { saleId, chargeId, providerId } = await buy(shop.product.id, fields);
  const [{ hook_token: hook } = { hook_token: "" }] =
    await sql`select hook_token from gateway_accounts where seller_id = ${other.seller.id}`;
  const [{ reference } = { reference: "" }] = await sql`select reference from charges where id = ${chargeId}`;
  const answer = await app.fetch(`/api/webhooks/pushinpay/${hook}?charge=${reference}`, {
    method: "POST",
    body: new URLSearchParams({ id: providerId, status: "paid" }),
  });
  expect(answer.status).toBe(200);
  expect(await sql`select 1 from payment_webhooks where charge_id = ${chargeId}`).toHaveLength(0);
  expect((await stateOf(saleId)).status).toBe("pending");
});

test("if the seller set a webhook secret, a webhook without it is refused", async () => {
  const { seal } = await import("#app/platform/secrets.server.ts");
  const guarded = await openShop();
  await sql`update gateway_accounts set webhook_secret_sealed = ${seal("segredo-do-painel")} where seller_id = ${guarded.seller.id}`;
  const { email, fields } = buyer();
  const { saleId, chargeId, providerId } = await buy(guarded.product.id, fields);
  await app.sandbox.webhooks({ header: null });
  await app.sandbox.pay(providerId, { webhookOnly: true });
  await until(() => app.log().some((line) => line.msg === "webhook refused" && line.why === "wrong-secret"));
  expect(await sql`select 1 from payment_webhooks where charge_id = ${chargeId}`).toHaveLength(0);
  await app.sandbox.webhooks({ header: { name: "x-pushinpay-token", value: "segredo-do-painel" } });
  await app.sandbox.pay(providerId);
  await expectPaidOnce(saleId, email);
  await app.sandbox.webhooks({ header: null });
});

test("a late payment of a cancelled sale completes it", async () => {
  const { email, fields } = buyer();
  const { saleId, providerId } = await buy(shop.product.id, fields);
  await sql`update sales set status = 'cancelled' where id = ${saleId}`;
  await app.sandbox.expire(providerId);
  // The question is over once the gate counts from its answer.
  await until(async () => {
    const over = sql`select 1 from charges where sale_id = ${saleId} and status = 'expired' and last_checked_at <= now()`;
    return (await over).length > 0;
  });
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = last_checked_at - interval '61 seconds' where sale_id = ${saleId}`;
  await app.sandbox.pay(providerId);
  await expectPaidOnce(saleId, email);
});

test("two codes of one sale both paid: one completion, the second is marked to be refunded", async () => {
  const { startPix } = await import("#app/domain/pix/start-pix.server.ts");
  const { email, fields } = buyer();
  const { saleId, chargeId, providerId } = await buy(shop.product.id, fields);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  const second = await startPix(saleId);
  expect(second.chargeId).not.toBe(chargeId);
  const [{ provider_id: secondId } = { provider_id: "" }] =
    await sql`select provider_id from charges where id = ${second.chargeId}`;
  await Promise.all([app.sandbox.pay(providerId), app.sandbox.pay(secondId)]);
  await expectPaidOnce(saleId, email);
  await until(async () => (await stateOf(saleId)).charges.every((c) => c.status === "paid"));
  expect((await stateOf(saleId)).charges.filter((c) => c.surplus)).toHaveLength(1);
});
