import { expect, test } from "vitest";
import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const canReceivePayments = async (sellerId: string) => (await findGateway(sellerId)) !== null;

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });
await app.sandbox.webhooks({ drop: true });

/** As the settings form posts it. Each token of the sandbox is an account of its own. */
async function saveKey(sellerId: string, key: string) {
  await saveGateways(sellerId, gatewaysForm().parse({ pushinpay_api_key: key }));
}

async function keysOf(sellerId: string) {
  return sql`select id from gateway_keys where seller_id = ${sellerId} order by created_at`;
}

async function chargeOf(chargeId: string) {
  const [row] = await sql`select c.status, r.status as refund_status, c.gateway_key_id, s.status as sale
    from charges c join sales s on s.id = c.sale_id left join refunds r on r.charge_id = c.id where c.id = ${chargeId}`;
  return row!;
}

async function openGate(chargeId: string) {
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
}

test.each([
  ["changed", "2|sandbox-outra-conta"],
  ["removed", ""],
])("a charge is settled and refunded with its own key after the seller %s it", async (_, key) => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buy(product.id);
  await saveKey(seller.id, key);
  expect(await canReceivePayments(seller.id)).toBe(key !== "");
  await app.sandbox.pay(providerId);
  const [account] = await sql`select hook_token from gateway_accounts where seller_id = ${seller.id}`;
  const delivery = {
    provider: "pushinpay",
    hookToken: account!.hook_token as string,
    query: () => null,
    body: `id=${providerId.toUpperCase()}&status=paid`,
    header: () => null,
  };
  expect(await receiveWebhook(delivery)).toBe("taken");
  expect(await receiveWebhook(delivery)).toBe("known");
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "settled" });
  const before = (await app.sandbox.calls()).pushinpay.refund;
  const results = await Promise.allSettled([1, 2, 3].map(() => refundCharge(seller.id, chargeId)));
  expect(results.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  await until(async () => (await app.sandbox.transaction(providerId)).status === "refunded");
  await openGate(chargeId);
  await checkCharge(chargeId);
  expect(await chargeOf(chargeId)).toMatchObject({ refund_status: "done", sale: "refunded" });
  if (key) {
    const other = await buy(product.id, {
      customer: { name: "Ana", email: "ana@exemplo.com.br", phone: null, document: null },
    });
    expect((await chargeOf(other.chargeId)).gateway_key_id).not.toBe(
      (await chargeOf(chargeId)).gateway_key_id,
    );
  }
});

test("a key revoked at the provider is replaced by its successor", async () => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buy(product.id);
  await saveKey(seller.id, "1|sandbox-demo-nova");
  // As if the first token had been revoked and the account's new one were saved.
  await sql`update gateway_keys set api_key_sealed = ${seal("revogada")} where id = ${(await chargeOf(chargeId)).gateway_key_id}`;
  await expect(checkCharge(chargeId)).rejects.toThrow("401");
  await sql`update gateway_keys set api_key_sealed = ${seal("1|sandbox-demo")}
    where seller_id = ${seller.id} and id <> ${(await chargeOf(chargeId)).gateway_key_id}`;
  await app.sandbox.pay(providerId);
  await openGate(chargeId);
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "settled" });
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
});

test.each([
  ["knows the payment", "1|sandbox-demo", "refused"],
  ["is another one", "2|sandbox-outra-conta", "credentials"],
])("a refund that is refused where the account %s asks nothing about the payment", async (_, key, kind) => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buy(product.id);
  await app.sandbox.pay(providerId);
  await checkCharge(chargeId);
  // A token that was replaced at the provider, and what its seller saved since.
  await saveKey(seller.id, "1|sandbox-demo-nova");
  const { gateway_key_id: own } = await chargeOf(chargeId);
  await sql`update gateway_keys set api_key_sealed = ${seal("revogada")} where id = ${own}`;
  await sql`update gateway_keys set api_key_sealed = ${seal(key)} where seller_id = ${seller.id} and id <> ${own}`;
  await app.sandbox.refund(providerId);
  const askedAbout = async () => (await app.sandbox.calls()).pushinpay.perTransaction[providerId];
  const before = await askedAbout();
  expect(before).toBeGreaterThan(0);
  for (let press = 0; press < 2; press++)
    expect(await refundCharge(seller.id, chargeId)).toMatchObject({ status: "refused" });
  expect(await askedAbout()).toBe(before);
  const refused = await sql`select distinct failure_kind as kind from refunds where charge_id = ${chargeId}`;
  expect([...refused]).toEqual([{ kind }]);
});

test("a charge without its own key is checked with the account's", async () => {
  const { product } = await openShop();
  const bought = await buy(product.id);
  await sql`update charges set gateway_key_id = null where id = ${bought.chargeId}`;
  await pay(app, bought);
  expect(await chargeOf(bought.chargeId)).toMatchObject({ status: "paid", sale: "completed" });
});

test("the same key saved again, also after another, is the same version", async () => {
  const { seller } = await openShop();
  await saveKey(seller.id, "1|sandbox-demo");
  expect(await keysOf(seller.id)).toHaveLength(1);
  await saveKey(seller.id, "2|sandbox-b");
  await saveKey(seller.id, "1|sandbox-demo");
  expect(await keysOf(seller.id)).toHaveLength(2);
  await saveKey(seller.id, "••••••••demo");
  const [account] = await sql`select key_id from gateway_accounts where seller_id = ${seller.id}`;
  expect(account!.key_id).toBe((await keysOf(seller.id))[0]!.id);
  // The same text at another provider is a key of that one. While it is away: it would refuse such a text.
  await app.sandbox.fault({ service: "woovi", mode: "reset" });
  await saveGateways(seller.id, gatewaysForm().parse({ woovi_app_id: "1|sandbox-demo" }));
  expect(await keysOf(seller.id)).toHaveLength(3);
});
