import { afterEach, beforeAll, expect, test } from "vitest";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { stateOf } from "#tests/integration/payments/support.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import {
  buyAt,
  chargeOf,
  checkAgain,
  claimCheck,
  openRigsWithSandbox,
  openShopAt,
  orderAt,
  webhookUrlOf,
} from "#tests/integration/providers/support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";

let rig: Rig;
let sandbox: SandboxControl;

beforeAll(async () => {
  const opened = await openRigsWithSandbox();
  sandbox = opened.sandbox;
  rig = new Map(opened.rigs).get("Mercado Pago")!;
});

const USUAL = {
  signedId: "received",
  ts: "seconds",
  hasPixKey: true,
  declines: false,
  locked: 0,
  isIndexed: true,
};
afterEach(() => sandbox.post("/mercadopago", { ...USUAL, hasBalance: true }));

test("a declined order fails the charge with its reason; the next one is a new order", async () => {
  const { product } = await openShopAt(rig);
  const saleId = await orderAt(product.id);
  await sandbox.post("/mercadopago", { declines: true });
  await expect(startPix(saleId)).rejects.toThrow("O PIX foi recusado");
  const [failed] = await sql`select failure_kind, failure_detail from charges where sale_id = ${saleId}`;
  expect(failed).toMatchObject({
    failure_kind: "refused",
    failure_detail: expect.stringMatching(
      /^402: The following transactions failed: PAY01.*rejected_by_issuer$/,
    ),
  });
  await sandbox.post("/mercadopago", { declines: false });
  expect((await chargeOf((await startPix(saleId)).chargeId)).charge.status).toBe("open");
});

test("an account without a PIX key is told what to do", async () => {
  const { product } = await openShopAt(rig);
  const saleId = await orderAt(product.id);
  await sandbox.post("/mercadopago", { hasPixKey: false });
  await expect(startPix(saleId)).rejects.toThrow("O PIX foi recusado");
  const [failed] = await sql`select failure_detail from charges where sale_id = ${saleId}`;
  expect(failed!.failure_detail).toContain("Cadastre uma chave Pix");
});

test("a used key and a lock are looked up, and never count as declined", async () => {
  const { product } = await openShopAt(rig);
  const saleId = await orderAt(product.id);
  await rig.fail("create", "lost-answer");
  await sandbox.post("/mercadopago", { isIndexed: false });
  // Made there, but not found yet.
  await expect(startPix(saleId)).rejects.toThrow("Não conseguimos gerar o PIX agora");
  expect((await stateOf(saleId)).status).toBe("pending");
  await sandbox.post("/mercadopago", { isIndexed: true });
  const { chargeId } = await startPix(saleId);
  expect((await stateOf(saleId)).charges).toMatchObject([{ status: "open" }]);

  const { charge } = await chargeOf(chargeId);
  const other = await orderAt(product.id);
  const body = { errors: [{ code: "idempotency_key_already_used", message: "The key was already used" }] };
  const faults = [
    { mode: "status-409" as const, body },
    { mode: "status-409" as const, body: {} },
    { mode: "status-408" as const },
    { mode: "status-423" as const },
  ];
  for (const fault of faults) {
    await sandbox.fault({ service: "mercadopago", route: "create", ...fault });
    await expect(startPix(other)).rejects.toThrow("Não conseguimos gerar o PIX agora");
    expect((await stateOf(other)).status).toBe("pending");
  }
  expect((await stateOf(other)).charges.map(({ status }) => status)).toEqual(faults.map(() => "failed"));
  expect((await chargeOf((await startPix(other)).chargeId)).providerId).not.toBe(charge.provider_id);
});

test("an order whose answer was lost is paid by its notification alone", async () => {
  const { product } = await openShopAt(rig);
  const saleId = await orderAt(product.id);
  const { chargeId } = await startPix(saleId);
  const { providerId } = await chargeOf(chargeId);
  await sql`update charges set status = 'failed', failure_kind = 'no-answer', provider_id = null, pix_code = null,
    expires_at = null where id = ${chargeId}`;
  await rig.pay(providerId);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  expect((await stateOf(saleId)).status).toBe("completed");
});

test.each([
  { signedId: "received", ts: "seconds" },
  { signedId: "lower", ts: "milliseconds" },
])("notifications signed with %j are taken", async (signing) => {
  const { product } = await openShopAt(rig);
  const { chargeId, providerId } = await buyAt(product.id);
  await sandbox.post("/mercadopago", signing);
  await rig.pay(providerId);
  expect(await claimCheck(chargeId)).toBe(true);
});

test("a notification with a wrong signature makes us ask, and the payment is found", async () => {
  const { product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await sandbox.post("/mercadopago", { signature: "wrong" });
  await rig.pay(providerId);
  await sandbox.post("/mercadopago", { signature: "right" });
  expect(await claimCheck(chargeId)).toBe(true);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  expect((await stateOf(saleId)).status).toBe("completed");
});

test("a notification of another topic is answered and changes nothing", async () => {
  const { gateway } = await openShopAt(rig);
  const body = JSON.stringify({ type: "payment", action: "payment.updated", data: { id: "999999999" } });
  expect((await fetch(webhookUrlOf(rig, gateway), { method: "POST", body })).status).toBe(200);
  expect(await sql`select 1 from payment_webhooks where seller_id = ${gateway.sellerId}`).toEqual([]);
});

test("a payment counts though its refunds cannot be read, which of a booked one is no answer", async () => {
  const { product } = await openShopAt(rig);
  const { saleId, chargeId, providerId, charge } = await buyAt(product.id);
  const payment = { id: "PAY01", amount: "97.00", payment_method: { id: "pix", type: "bank_transfer" } };
  const body = {
    ...{
      id: providerId,
      status: "processed",
      status_detail: "accredited",
      external_reference: charge.reference,
    },
    transactions: { payments: [payment], refunds: [{ id: "REF01", amount: null, status: "processed" }] },
  };
  await sandbox.fault({ service: "mercadopago", route: "find", mode: "status-200", body, times: 2 });
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "settled" });
  expect((await stateOf(saleId)).status).toBe("completed");
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await expect(checkCharge(chargeId, { evenIfUnchanged: true })).rejects.toMatchObject({
    kind: "nonsense",
  });
});

test("a refund without balance is refused with its text, and a part is asked once", async () => {
  const { seller, product } = await openShopAt(rig);
  const { saleId, chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  await sandbox.post("/mercadopago", { hasBalance: false });
  expect(await refundCharge(seller.id, chargeId, 1000)).toEqual({
    status: "refused",
    reason: "O provedor recusou o reembolso: Insufficient balance",
  });
  await sandbox.post("/mercadopago", { hasBalance: true });
  await rig.fail("refund", "lost-answer");
  expect(await refundCharge(seller.id, chargeId, 1000)).toEqual({ status: "pending" });
  await rig.untilBack(providerId);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
  const [sale] = await sql`select status, refunded_cents from sales where id = ${saleId}`;
  expect(sale).toMatchObject({ status: "completed", refunded_cents: 1000 });
  expect((await sandbox.transaction(providerId)).refunds).toMatchObject([
    { cents: 1000, status: "confirmed" },
  ]);
});

test("a part whose refund is already under way is not asked for again", async () => {
  const { seller, product } = await openShopAt(rig);
  const { chargeId, providerId } = await buyAt(product.id);
  await rig.pay(providerId);
  await checkAgain(chargeId);
  const body = { errors: [{ code: "refund_in_progress", message: "A refund is in progress" }] };
  await sandbox.fault({ service: "mercadopago", route: "refund", mode: "status-409", after: true, body });
  expect(await refundCharge(seller.id, chargeId, 1000)).toEqual({ status: "pending" });
  await expect(refundCharge(seller.id, chargeId, 1000)).rejects.toThrow("reembolso");
  await rig.untilBack(providerId);
  expect(await checkAgain(chargeId)).toMatchObject({ outcome: "refunded" });
  expect((await sandbox.transaction(providerId)).refunds).toMatchObject([{ cents: 1000 }]);
});
