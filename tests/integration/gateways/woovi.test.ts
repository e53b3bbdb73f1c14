import { beforeAll, expect, test } from "vitest";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import {
  buyAt,
  chargeOf,
  checkAgain,
  openRigsWithSandbox,
  openShopAt,
  orderAt,
  webhookUrlOf,
} from "#tests/integration/providers/support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

let rig: Rig;
let sandbox: SandboxControl;

beforeAll(async () => {
  const opened = await openRigsWithSandbox();
  sandbox = opened.sandbox;
  rig = new Map(opened.rigs).get("Woovi")!;
});

async function post(url: string, { body, headers }: { body: string; headers: Record<string, string> }) {
  return (await fetch(url, { method: "POST", body, headers })).status;
}

test("a code whose answer was lost is found and paid by its webhook alone", async () => {
  const { product } = await openShopAt(rig);
  const saleId = await orderAt(product.id);
  const { chargeId } = await startPix(saleId);
  const { charge } = await chargeOf(chargeId);
  await sql`update charges set status = 'failed', failure_kind = 'no-answer', provider_id = null, pix_code = null,
    expires_at = null where id = ${chargeId}`;
  await rig.pay(charge.reference);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  expect((await stateOf(saleId)).status).toBe("completed");
});

test.each([
  ["status-404", { error: "Nenhuma devolução encontrada" }],
  ["status-403", "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>"],
  ["status-200", { refunds: null }],
  ["status-200", { refunds: [null, { status: "CONFIRMED", value: "2500" }] }],
  ["http-500", undefined],
] as const)("a payment counts though its refunds are answered %s %o", async (mode, body) => {
  const { product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await sandbox.fault({ service: "woovi", route: "refunds", mode, body, times: 2 });
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  expect((await stateOf(saleId)).status).toBe("completed");
  // Of a booked payment it is no answer.
  const kind = mode === "status-404" || mode === "status-200" ? "nonsense" : "busy";
  const paced = () => checkCharge(chargeId, { evenIfUnchanged: true });
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await expect(paced()).rejects.toMatchObject({ kind });
});

test("what could be read of a payment's refunds is booked with it", async () => {
  const { product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  const body = {
    refunds: [
      { status: "IN_PROCESSING", value: null },
      { status: "CONFIRMED", value: 2500 },
    ],
  };
  await sandbox.fault({ service: "woovi", route: "refunds", mode: "status-200", body });
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  const [sale] = await sql`select status, refunded_cents from sales where id = ${saleId}`;
  expect(sale).toEqual({ status: "completed", refunded_cents: 2500 });
});

test("a payment that was refunded before it was booked, and its refunds could not be read, is found refunded", async () => {
  const { product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await rig.giveBack(providerId);
  await until(async () => {
    const [webhooks] =
      await sql`select count(*)::int as count from payment_webhooks where charge_id = ${chargeId}`;
    return webhooks!.count >= 2;
  });
  await sandbox.fault({ service: "woovi", route: "refunds", mode: "http-500" });
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  // The webhook of the refund is not answered by that: its check is due again.
  await sql`update charges set last_checked_at = now() - interval '20 minutes', next_check_at = null where id = ${chargeId}`;
  await sql`update payment_webhooks set received_at = now() - interval '30 minutes' where charge_id = ${chargeId}`;
  await sweepCharges.handle({}, { number: 1, last: false });
  const [charge] = await sql`select next_check_at from charges where id = ${chargeId}`;
  expect(charge!.next_check_at).not.toBeNull();
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
  expect((await stateOf(saleId)).status).toBe("refunded");
});

test("its test of the address is answered without a signature, and stored nowhere", async () => {
  const { gateway } = await openShopAt(rig);
  const body = JSON.stringify({ evento: "teste_webhook", event: "OPENPIX:CHARGE_COMPLETED" });
  expect(await post(webhookUrlOf(rig, gateway), { body, headers: {} })).toBe(200);
  expect(await post(webhookUrlOf(rig, { hookToken: "outro" }), { body, headers: {} })).toBe(404);
  expect(await sql`select 1 from payment_webhooks where seller_id = ${gateway.sellerId}`).toEqual([]);
});

test("a refund without balance is refused with its text; a rejected one leaves the payment as it was", async () => {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  await sandbox.post("/woovi", { hasBalance: false });
  expect(await refundCharge(seller.id, chargeId, 1000)).toEqual({
    status: "refused",
    reason: "O provedor recusou o reembolso: Saldo insuficiente",
  });
  await sandbox.post("/woovi", { hasBalance: true, refunds: "processing" });
  expect(await refundCharge(seller.id, chargeId, 1000)).toEqual({ status: "accepted" });
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "still-paid" });
  await sandbox.post("/woovi", { refunds: "confirmed" });
  const [sale] = await sql`select refunded_cents from sales where id = ${saleId}`;
  expect(sale!.refunded_cents).toBe(0);
});

test("a refund that is rejected after it was accepted ends as refused, and buyer and seller are told", async () => {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  await sandbox.post("/woovi", { refunds: "rejected" });
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
  await until(async () => (await sandbox.transaction(providerId)).refunds[0]!.status === "rejected");
  await sandbox.post("/woovi", { refunds: "confirmed" });
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "still-paid" });
  const payment = (await showRefund(seller.id, saleId)).payments[0]!;
  expect(payment).toMatchObject({ status: "refused", leftCents: 9700 });
  const purchase = await showPurchase(saleId);
  const [note] = paymentNotes(purchase!.payments, purchase!);
  expect(note).toMatch(/^A devolução de R\$\s97,00, pedida em [\d/]+, não aconteceu/);
  const mailed =
    await sql`select data from ${mailsWithTexts()} where sale_id = ${saleId} and kind = 'unconfirmed-refund'`;
  expect(mailed).toMatchObject([{ data: { isRejected: true } }]);
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
  await until(async () => (await sandbox.transaction(providerId)).refunds.at(-1)!.status === "confirmed");
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
});

test("the amount refunded is the sum of confirmed refunds, and a lost answer repeats none of them", async () => {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  await rig.fail("refund", "lost-answer");
  expect(await refundCharge(seller.id, chargeId, 2500)).toEqual({ status: "pending" });
  await rig.untilBack(providerId);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
  const { refunds } = await sandbox.transaction(providerId);
  const [booked] = await sql`select id, amount_cents, status from refunds where charge_id = ${chargeId}`;
  expect(refunds).toEqual([{ reference: booked!.id, cents: 2500, status: "confirmed" }]);
  expect(booked).toMatchObject({ amount_cents: 2500, status: "done" });
  const [sale] = await sql`select status, refunded_cents from sales where id = ${saleId}`;
  expect(sale).toMatchObject({ status: "completed", refunded_cents: 2500 });
});

// The last: the sandbox has another key from here on, and a webhook would have to wait for a minute.
test("webhooks are accepted with either prefix, unsigned ones and those of a dropped key are not", async () => {
  const { product, gateway } = await openShopAt(rig);
  const { providerId, chargeId } = await buyAt(product.id);
  const url = webhookUrlOf(rig, gateway);
  await sandbox.post("/woovi", { prefix: "woovi" });
  await rig.pay(providerId);
  expect(await sql`select state from payment_webhooks where charge_id = ${chargeId}`).toMatchObject([
    { state: "paid" },
  ]);
  const sent = await rig.webhook(providerId, true);
  expect(await post(url, { ...sent, headers: {} })).toBe(401);
  // The next key is fetched when it is first seen, but no more than once a minute.
  expect(await post(url, sent)).toBe(200);
  expect((await sandbox.calls()).woovi.keys).toBe(1);
  await sandbox.post("/woovi", { prefix: "OPENPIX", rotateKey: "keep" });
  expect(await post(url, await rig.webhook(providerId, true))).toBe(401);
  expect((await sandbox.calls()).woovi.keys).toBe(1);
});
