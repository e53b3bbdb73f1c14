import { expect, test } from "vitest";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { attemptRefund } from "#app/domain/refund/request/attempt-refund.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });
const once = { number: 1, last: false };

/** A paid sale whose refund was requested four days ago without any result. */
async function waitingRefund({ done = false } = {}) {
  const { seller, product } = await openShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "reset", after: done });
  await refundCharge(seller.id, bought.chargeId);
  if (done) await until(async () => (await app.sandbox.transaction(bought.providerId)).status === "refunded");
  await sql`update refunds set requested_at = now() - interval '4 days', accepted_at = now()
    where charge_id = ${bought.chargeId}`;
  await sql`update charges set last_checked_at = null where id = ${bought.chargeId}`;
  return { seller, ...bought };
}

async function notificationsOf(saleId: string) {
  const mails =
    await sql`select recipient from mails where sale_id = ${saleId} and kind = 'unconfirmed-refund'`;
  const notes = await sql`select e.kind from charge_events e join charges c on c.id = e.charge_id
      where c.sale_id = ${saleId} and e.kind = 'refund_unconfirmed'`;
  return { mails: mails.length, notes: notes.length };
}

test("a refund the provider never confirms ends, also if it cannot be checked, and the seller is notified once", async () => {
  const { seller, saleId } = await waitingRefund();
  await sql`update gateway_keys set api_key_sealed = null where seller_id = ${seller.id}`;
  await Promise.all([1, 2, 3].map(() => sweepCharges.handle({}, once)));
  await sweepCharges.handle({}, once);
  const { saleStatus, payments } = await showRefund(seller.id, saleId);
  expect(saleStatus).toBe("completed");
  expect(payments).toMatchObject([
    { status: "unconfirmed", reason: expect.stringContaining("não confirmou") },
  ]);
  expect(await notificationsOf(saleId)).toEqual({
    mails: 1,
    notes: 1,
  });
});

test("for a second payment it names the button that ends that payment and not the sale", async () => {
  const { seller, saleId, chargeId } = await waitingRefund();
  await sql`update refunds set status = 'unconfirmed', ended_at = now() where charge_id = ${chargeId}`;
  const why = async () => (await showRefund(seller.id, saleId)).payments[0]!.reason;
  expect(await why()).toContain("marque como reembolsada");
  await sql`update charges set overpaid_at = now() where id = ${chargeId}`;
  expect(await why()).toContain("“Já devolvi pelo banco”");
  expect(await why()).not.toContain("reembolsada");
});

test("one requested yesterday is still waited for", async () => {
  const { chargeId, saleId } = await waitingRefund();
  await sql`update refunds set requested_at = now() - interval '1 day' where charge_id = ${chargeId}`;
  await sweepCharges.handle({}, once);
  expect(await notificationsOf(saleId)).toEqual({ mails: 0, notes: 0 });
});

test("a retry first checks the earlier request, and sends no second one if that had succeeded", async () => {
  const { seller, chargeId, saleId } = await waitingRefund({ done: true });
  await sweepCharges.handle({}, once);
  const before = (await app.sandbox.calls()).pushinpay.refund;
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "done" });
  expect((await app.sandbox.calls()).pushinpay.refund).toBe(before);
  expect(await showRefund(seller.id, saleId)).toMatchObject({
    saleStatus: "refunded",
    payments: [{ status: "done" }],
  });
});

test("a retry sends nothing while the provider's state is unknown", async () => {
  const { seller, chargeId, saleId } = await waitingRefund();
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at, failure_kind)
    values (${chargeId}, ${seller.id}, 9700, 'refused', 'requested', now() - interval '5 days', now(), 'busy')`;
  await sweepCharges.handle({}, once);
  const before = (await app.sandbox.calls()).pushinpay.refund;
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "reset" });
  expect(await refundCharge(seller.id, chargeId)).toMatchObject({ status: "unconfirmed" });
  // Behind the rate limit that this check closed.
  expect(await refundCharge(seller.id, chargeId)).toMatchObject({ status: "unconfirmed" });
  expect((await app.sandbox.calls()).pushinpay.refund).toBe(before);
  expect((await showRefund(seller.id, saleId)).payments[0]!.reason).toContain("ainda não disse");
  const failures =
    await sql`select failure_kind from refunds where charge_id = ${chargeId} order by requested_at`;
  expect(failures.map(({ failure_kind: kind }) => kind)).toEqual(["busy", "no-answer"]);
});

test.each([
  { listed: "open", failureKind: "busy", hasEnded: false },
  { listed: "unknown", failureKind: "no-answer", hasEnded: true },
])(
  "the last attempt of a buyer's request, whose refund its provider lists as $listed, ends: $hasEnded",
  async ({ failureKind, hasEnded }) => {
    const { seller, chargeId, saleId } = await waitingRefund();
    await sql`update refunds set status = 'unconfirmed', failure_kind = ${failureKind}, ended_at = now()
      where charge_id = ${chargeId}`;
    const [request] =
      await sql`insert into refund_requests (sale_id, seller_id, kind, attempts, next_attempt_at)
      values (${saleId}, ${seller.id}, 'right', 32, now()) returning id`;
    await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "reset" });
    await attemptRefund(request!.id);
    const [left] = await sql`select attempts, next_attempt_at is null as "hasEnded" from refund_requests
      where id = ${request!.id}`;
    expect(left).toEqual({ attempts: 33, hasEnded });
  },
);

test("retries clicked at once are one refund, and its end is reported anew", async () => {
  const { seller, chargeId, saleId } = await waitingRefund();
  await sweepCharges.handle({}, once);
  const before = (await app.sandbox.calls()).pushinpay.refund;
  const all = await Promise.allSettled([1, 2, 3, 4].map(() => refundCharge(seller.id, chargeId)));
  expect(all.filter((one) => one.status === "fulfilled" && one.value.status === "accepted")).toHaveLength(1);
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  await sql`update refunds set requested_at = now() - interval '5 days'
    where charge_id = ${chargeId} and status = 'pending'`;
  await sweepCharges.handle({}, once);
  expect(await notificationsOf(saleId)).toMatchObject({ mails: 2 });
});

test("an unconfirmed refund is marked only by its seller, or confirmed by a late webhook", async () => {
  const { seller, saleId } = await waitingRefund();
  await sweepCharges.handle({}, once);
  const stranger = await makeSeller();
  await expect(recordRefund(stranger.id, saleId)).rejects.toMatchObject({ kind: "not-found" });
  await recordRefund(seller.id, saleId);
  expect(await showRefund(seller.id, saleId)).toMatchObject({ saleStatus: "refunded" });
  const late = await waitingRefund({ done: true });
  await sweepCharges.handle({}, once);
  expect(await checkCharge(late.chargeId)).toMatchObject({ outcome: "refunded" });
});
