import { expect, test } from "vitest";
import { downloadUrl, openDownload } from "#app/domain/access/open-download.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordOverpaymentRefund, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as refundForms from "#app/routes/seller/sale/refund.ts";
import { ATTEMPTS } from "#app/server/limits/limits.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { deliverToUtmify, openTrackedShop, orderOf, pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

async function buyAndPay(productId: number) {
  const bought = await buy(productId);
  await pay(app, bought);
  return bought;
}

/** As if a minute had passed since the last check. */
async function openGate(chargeId: string) {
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
}

async function refundOf(chargeId: string) {
  const [row] = await sql`select r.status as refund_status, s.status from charges c
    join sales s on s.id = c.sale_id
    left join lateral (select * from refunds r where r.charge_id = c.id order by r.requested_at desc limit 1) r on true
    where c.id = ${chargeId}`;
  return row!;
}

async function untilRefunded(providerId: string) {
  await until(async () => (await app.sandbox.transaction(providerId)).status === "refunded");
}

const NOBODY = { placedSaleIds: [], key: "", findPortalEmail: async () => null };

test("a refund is pending until the provider confirms, then sale, mail, tracking and download follow", async () => {
  const { seller, product } = await openTrackedShop();
  const { saleId, chargeId, providerId } = await buyAndPay(product.id);
  const [line] = await sql`select id from sale_lines where sale_id = ${saleId}`;
  const link = new URL(downloadUrl(saleId, line!.id), "http://x").searchParams;
  expect(await openDownload(saleId, line!.id, link, NOBODY)).toContain("curso.pdf");
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
  expect(await refundOf(chargeId)).toMatchObject({ refund_status: "pending", status: "completed" });
  await untilRefunded(providerId);
  await openGate(chargeId);
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "refunded" });
  expect(await refundOf(chargeId)).toMatchObject({ refund_status: "done", status: "refunded" });
  await expect(openDownload(saleId, line!.id, link, NOBODY)).rejects.toThrow("foi devolvido");
  const mails = await sql`select kind from mails where sale_id = ${saleId} and kind = 'refund'`;
  expect(mails).toHaveLength(1);
  await deliverToUtmify(saleId);
  const order = (await orderOf(app, saleId))!;
  expect(order).toMatchObject({ status: "refunded", violations: [] });
  expect(order.body).toMatchObject({ refundedAt: expect.any(String), approvedDate: expect.any(String) });
});

test("ten clicks at once call the provider once", async () => {
  const { seller, product } = await openShop();
  const { chargeId } = await buyAndPay(product.id);
  const before = (await app.sandbox.calls()).pushinpay.refund;
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => refundCharge(seller.id, chargeId)));
  expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
});

test("refunds and questions call the provider as often as the limit of outside calls says, each payment by itself", async () => {
  const { seller, product } = await openShop();
  const [pressed, other] = [await buyAndPay(product.id), await buyAndPay((await makeProduct(seller)).id)];
  const [limit] = ATTEMPTS["outside-call"].target;
  for (const target of [pressed.saleId, pressed.chargeId])
    for (let count = 0; count < limit; count++) {
      const headers = { "X-Forwarded-For": newAddress() };
      const request = new Request("http://localhost:3000", { headers });
      await throttle("outside-call", request, `${seller.id}/${target}`);
    }
  const headers = await signedIn(seller);
  const press = async ({ saleId, chargeId }: typeof pressed, intent: string) => {
    const body = new URLSearchParams({ intent, charge_id: chargeId, amount: "97,00", confirm: "sale" });
    const sent = { method: "POST", params: { saleId }, headers, body };
    return (await call(refundForms, paths.refund(saleId), sent)).status;
  };
  const before = (await app.sandbox.calls()).pushinpay;
  for (const intent of ["refund", "refund-part", "check"]) expect(await press(pressed, intent)).toBe(429);
  expect((await app.sandbox.calls()).pushinpay).toEqual(before);
  expect(await press(other, "refund")).toBe(302);
  expect((await app.sandbox.calls()).pushinpay.refund - before.refund).toBe(1);
});

test.each([
  ["reset", true],
  ["http-500", true],
  ["malformed", true],
  ["reset", false],
] as const)("a lost answer (%s, done: %s) is checked, never repeated", async (mode, after) => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buyAndPay(product.id);
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode, after });
  const before = (await app.sandbox.calls()).pushinpay.refund;
  // A provider that accepts the call has accepted the refund, whatever the body.
  const status = mode === "malformed" ? "accepted" : "pending";
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status });
  await expect(refundCharge(seller.id, chargeId)).rejects.toThrow("em andamento");
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  await openGate(chargeId);
  if (after) {
    await untilRefunded(providerId);
    await checkCharge(chargeId);
    expect(await refundOf(chargeId)).toMatchObject({ refund_status: "done", status: "refunded" });
  } else {
    await checkCharge(chargeId);
    expect(await refundOf(chargeId)).toMatchObject({ refund_status: "pending", status: "completed" });
    await sql`update refunds set requested_at = now() - interval '31 minutes' where charge_id = ${chargeId}`;
    await openGate(chargeId);
    await checkCharge(chargeId);
    expect(await refundOf(chargeId)).toMatchObject({ refund_status: "unconfirmed", status: "completed" });
    await openGate(chargeId);
    expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
  }
});

test.each([
  ["http-422", /recusou o reembolso: Não foi possível/],
  ["status-401", /não aceitou a chave deste pagamento/],
  ["http-429", /indisponível/],
] as const)("a refund refused with %s is reported and can be retried", async (mode, why) => {
  const { seller, product } = await openShop();
  const { saleId, chargeId } = await buyAndPay(product.id);
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode });
  expect(await refundCharge(seller.id, chargeId)).toEqual({
    status: "refused",
    reason: expect.stringMatching(why),
  });
  expect((await showRefund(seller.id, saleId)).payments).toMatchObject([
    { status: "refused", reason: expect.stringMatching(why) },
  ]);
  // A refusal may mean that it was refunded before, so it is checked once more.
  const [charge] = await sql`select next_check_at from charges where id = ${chargeId}`;
  expect(charge!.next_check_at !== null).toBe(mode === "http-422");
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
});

test("a pending refund whose webhook never came is checked", async () => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buyAndPay(product.id);
  await refundCharge(seller.id, chargeId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now())
    where id = ${chargeId} and next_check_at is not null`;
  await openGate(chargeId);
  const claimed = (await claimChecks(50)).find((one) => one.chargeId === chargeId);
  await checkClaimedCharge(claimed!);
  expect((await app.sandbox.calls()).pushinpay.perTransaction[providerId]).toBe(2);
});

test("a refund made in the provider's panel arrives by webhook", async () => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buyAndPay(product.id);
  await app.sandbox.refund(providerId);
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${seller.id}`;
  const webhook = {
    provider: "pushinpay",
    hookToken: gateway!.hook_token as string,
    query: () => null,
    body: `id=${providerId.toUpperCase()}&status=refunded`,
    header: () => null,
  };
  await receiveWebhook(webhook);
  expect((await claimChecks(50)).map((one) => one.chargeId)).toContain(chargeId);
  await openGate(chargeId);
  await checkCharge(chargeId);
  expect(await refundOf(chargeId)).toMatchObject({ refund_status: "done", status: "refunded" });
  expect(await checkCharge(chargeId)).toEqual({ kind: "nothing" });
});

test("a forged refund webhook changes nothing: the provider reports it as still paid", async () => {
  const { seller, product } = await openShop();
  const { chargeId, providerId } = await buyAndPay(product.id);
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${seller.id}`;
  await receiveWebhook({
    provider: "pushinpay",
    hookToken: gateway!.hook_token,
    query: () => null,
    body: `id=${providerId}&status=refunded`,
    header: () => null,
  });
  await openGate(chargeId);
  expect(await checkCharge(chargeId)).toMatchObject({ outcome: "still-paid" });
  expect(await refundOf(chargeId)).toMatchObject({ refund_status: null, status: "completed" });
});

test("a second payment of one sale is refunded by itself, and the sale stays completed", async () => {
  const { seller, product } = await openShop();
  const first = await buyAndPay(product.id);
  const other = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await sql`update charges set sale_id = ${first.saleId} where id = ${other.chargeId}`;
  await pay(app, other);
  expect((await showRefund(seller.id, first.saleId)).payments.map((p) => p.kind)).toEqual([
    "counts",
    "overpayment",
  ]);
  await refundCharge(seller.id, other.chargeId);
  await untilRefunded(other.providerId);
  await openGate(other.chargeId);
  await checkCharge(other.chargeId);
  expect(await refundOf(other.chargeId)).toMatchObject({ refund_status: "done", status: "completed" });
  expect(await refundOf(first.chargeId)).toMatchObject({ refund_status: null });
});

test("a second payment refunded at the bank is recorded as such", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", paidAt: new Date(), overpaidAt: new Date() });
  await recordOverpaymentRefund(seller.id, charge.id);
  expect(await refundOf(charge.id)).toMatchObject({ refund_status: "done", status: "completed" });
  await expect(recordOverpaymentRefund(seller.id, charge.id)).rejects.toThrow("já foi reembolsado");
});

test("a refund at the bank and a chargeback are recorded once, with history, mail and tracking", async () => {
  const { seller, product } = await openTrackedShop();
  const manually = await buyAndPay(product.id);
  await recordRefund(seller.id, manually.saleId);
  await expect(recordRefund(seller.id, manually.saleId)).rejects.toThrow("concluída");
  await expect(refundCharge(seller.id, manually.chargeId)).rejects.toThrow("já foi reembolsado");
  const events =
    await sql`select kind, cause from sale_events where sale_id = ${manually.saleId} order by id desc limit 1`;
  expect(events).toMatchObject([{ kind: "refunded", cause: "seller" }]);
  const contested = await makeSale(product, { status: "completed" });
  await recordDecision(seller.id, contested.id, "lost");
  await deliverToUtmify(contested.id);
  expect((await orderOf(app, contested.id))!).toMatchObject({ status: "chargedback", violations: [] });
});

test("a sale cannot be marked manually while the provider is refunding it", async () => {
  const { seller, product } = await openShop();
  const { saleId, chargeId } = await buyAndPay(product.id);
  await refundCharge(seller.id, chargeId);
  await expect(recordRefund(seller.id, saleId)).rejects.toThrow("em andamento");
});

test("after 90 days the provider is not called and the seller sees what to do", async () => {
  const { seller, product } = await openShop();
  const { chargeId } = await buyAndPay(product.id);
  await sql`update charges set paid_at = now() - interval '91 days' where id = ${chargeId}`;
  await expect(refundCharge(seller.id, chargeId)).rejects.toThrow("90 dias");
});

test("another seller can neither see, refund nor mark it", async () => {
  const { product } = await openShop();
  const { saleId, chargeId } = await buyAndPay(product.id);
  const stranger = await makeSeller();
  await makeProduct(stranger);
  const attempts = [
    showRefund(stranger.id, saleId),
    refundCharge(stranger.id, chargeId),
    recordRefund(stranger.id, saleId),
    recordDecision(stranger.id, saleId, "lost"),
    recordDispute(stranger.id, saleId),
    recordOverpaymentRefund(stranger.id, chargeId),
  ];
  for (const one of await Promise.allSettled(attempts))
    expect(one).toMatchObject({ status: "rejected", reason: { kind: "not-found" } });
  expect(await refundOf(chargeId)).toMatchObject({ refund_status: null, status: "completed" });
});
