import { expect, test } from "vitest";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { cardShop, cardStateOf, orderCard, sellByCard, sendCard } from "#tests/integration/cards/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";

/** What is known of payments at an account that its seller replaced with another one, and whose key is refused by now. */
const app = await startApp({ worker: 0 });
await app.sandbox.webhooks({ drop: true });
const anotherToken = () => `APP_USR-sandbox-${crypto.randomUUID()}`;

/** As the provider reports a payment, form-encoded or as JSON. */
const report = (provider: string, hookToken: string, body: string, reference: string | null = null) =>
  receiveWebhook({ provider, hookToken, header: () => null, body, query: () => reference });

/** A card that was paid without an answer, and what its provider reported of it. */
async function lostCard() {
  const shop = await cardShop();
  const saleId = await orderCard(shop.product.id);
  await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "reset", after: true });
  await sendCard(app, saleId);
  const [charge] = await sql`select id, reference from charges where sale_id = ${saleId} and method = 'card'`;
  await sql`update charges set created_at = created_at - interval '20 minutes', last_checked_at = null where id = ${charge!.id}`;
  return { ...shop, saleId, chargeId: charge!.id as string, reference: charge!.reference as string };
}

test("a PIX paid at an account that was replaced and refuses its key stays announced, and its seller is told", async () => {
  const { seller, product } = await openShop();
  const { saleId, chargeId, providerId } = await buy(product.id);
  const [found] = await sql`select a.hook_token, c.reference from gateway_accounts a, charges c
    where a.seller_id = ${seller.id} and c.id = ${chargeId}`;
  await saveGateways(seller.id, { pushinpay_api_key: "2|sandbox-outra" });
  await app.sandbox.pay(providerId);
  const body = new URLSearchParams({ id: providerId, status: "paid", value: "9700" }).toString();
  await report("pushinpay", found!.hook_token as string, body, found!.reference as string);
  await sql`update payment_webhooks set received_at = now() - interval '2 minutes' where charge_id = ${chargeId}`;
  expect((await findPaymentSummary({ saleId }))!.buyer).toBe("announced");
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-401", times: 1 });
  await expect(checkCharge(chargeId)).rejects.toThrow("401");
  expect({
    buyer: (await findPaymentSummary({ saleId }))!.buyer,
    items: (await findActionItems(seller.id)).map(({ kind }) => kind),
  }).toEqual({ buyer: "announced", items: ["news-waiting"] });
  const [last] = await sql`select kind, data ->> 'why' as why from charge_events
    where charge_id = ${chargeId} order by id desc limit 1`;
  expect(last).toEqual({ kind: "unanswered", why: "credentials" });
});

test("a card that was paid at such an account is not called unpaid", async () => {
  const { seller, apiKey, hookToken, saleId, chargeId, reference } = await lostCard();
  const paid = (await mercadopago.cards!.findPayment({ apiKey }, reference))!;
  expect(paid.state).toBe("paid");
  await saveGateways(seller.id, { mercadopago_access_token: anotherToken() });
  const data = { id: paid.providerId, external_reference: reference };
  const body = JSON.stringify({ type: "order", action: "order.processed", data });
  expect(await report("mercadopago", hookToken, body)).toBe("taken");
  await app.sandbox.fault({ service: "mercadopago", route: "find", mode: "status-401", times: 1 });
  await expect(checkCharge(chargeId)).rejects.toThrow("401");
  await sweepCharges.handle({}, { number: 1, last: false });
  expect((await cardStateOf(saleId)).charges).toMatchObject([{ status: "unknown" }]);
  expect([
    ...(await sql`select kind from mails where sale_id = ${saleId} and kind = 'payment-news'`),
  ]).toEqual([]);
});

test("a card that a webhook still calls paid is not failed by an earlier answer that it is unknown", async () => {
  const { hookToken, saleId, chargeId, reference } = await lostCard();
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause)
    select id, seller_id, 'asked', '{"state": "unknown"}', 'system' from charges where id = ${chargeId}`;
  const data = { id: `ORD${crypto.randomUUID()}`, external_reference: reference };
  await report("mercadopago", hookToken, JSON.stringify({ type: "order", action: "order.processed", data }));
  await sweepCharges.handle({}, { number: 1, last: false });
  expect((await cardStateOf(saleId)).charges).toMatchObject([{ status: "unknown" }]);
});

test("a card whose answer was lost is found with the account's next key", async () => {
  const { saleId, chargeId } = await lostCard();
  await sql`with key as (insert into gateway_keys (seller_id, provider, api_key_sealed)
      select k.seller_id, k.provider, k.api_key_sealed from charges c join gateway_keys k on k.id = c.gateway_key_id
      where c.id = ${chargeId} returning id, seller_id)
    update gateway_accounts a set key_id = key.id from key where a.seller_id = key.seller_id and a.provider = 'mercadopago'`;
  await sql`update gateway_keys set api_key_sealed = ${seal("revogado")}
    where id = (select gateway_key_id from charges where id = ${chargeId})`;
  await app.sandbox.fault({ service: "mercadopago", route: "search", mode: "status-401", times: 1 });
  await checkCharge(chargeId);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
});

test("a refund at such an account is refused because of the key, not because the payment is unknown", async () => {
  const { seller, product } = await cardShop();
  const { chargeId } = await sellByCard(app, product.id);
  await saveGateways(seller.id, { mercadopago_access_token: anotherToken() });
  await app.sandbox.fault({ service: "mercadopago", route: "refund", mode: "status-401", times: 1 });
  const refund = await refundCharge(seller.id, chargeId);
  expect(refund).toMatchObject({ status: "refused", reason: expect.stringContaining("outra conta sua") });
  const [stored] = await sql`select failure_kind from refunds where charge_id = ${chargeId}`;
  expect(stored).toEqual({ failure_kind: "credentials" });
  // The refused key is not the account's any more.
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
});

test("a refund that the account's key is refused for says so of the account, until one is accepted", async () => {
  const { seller, product } = await cardShop();
  const sold = [];
  for (let time = 0; time < 3; time++) sold.push((await sellByCard(app, product.id)).chargeId);
  const refundAfter = async (chargeId: string, mode?: "status-401" | "status-403") => {
    const body = { message: "Não." };
    if (mode) await app.sandbox.fault({ service: "mercadopago", route: "refund", mode, times: 1, body });
    await refundCharge(seller.id, chargeId);
    return findRefusedAccounts(seller.id);
  };
  // What is forbidden may be the refund alone.
  expect(await refundAfter(sold[0]!, "status-403")).toEqual([]);
  expect(await refundAfter(sold[1]!, "status-401")).toEqual(["mercadopago"]);
  expect(await refundAfter(sold[2]!)).toEqual([]);
});
