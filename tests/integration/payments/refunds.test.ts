import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { endsSale } from "#app/domain/refund/ends-sale.server.ts";
import { recordOverpaymentRefund, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

/** A completed sale of R$ 97,00, and the charge that paid it. */
async function paidSale(fields: Parameters<typeof makeCharge>[1] = {}) {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", ...fields });
  return { seller, sale, charge };
}

/** A refund of a charge, pending unless `fields` state otherwise. */
async function addRefund(
  { id, sellerId }: { id: string; sellerId: string },
  fields: Record<string, string | number | Date | null> = {},
) {
  const row = { charge_id: id, seller_id: sellerId, amount_cents: 9700, status: "pending" };
  await sql`insert into refunds ${sql({ ...row, origin: "requested", ...fields })}`;
}

const ended = (status: "done" | "refused", fields: Record<string, string | number> = {}) => ({
  ...{ status, ended_at: new Date(), ...fields },
});

test("a refund recorded manually while a payment is being booked waits instead of failing", async () => {
  const { seller, sale, charge } = await paidSale();
  let recorded: Promise<void> | undefined;
  const lock = await holdLock(async (tx) => {
    await tx`select 1 from charges where id = ${charge.id} for update`;
    recorded = recordRefund(seller.id, sale.id);
    recorded.catch(() => {});
    await untilLockedOut();
    await tx`select 1 from sales where id = ${sale.id} for update`;
  });
  await lock.release();
  await recorded;
  const [row] = await sql`select status from sales where id = ${sale.id}`;
  expect(row!.status).toBe("refunded");
});

test("a refund recorded manually is of the payment that counts, which is not checked any more", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await makeCharge(sale, { status: "expired" });
  await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  const charge = await makeCharge(sale, { status: "paid", nextCheckAt: new Date() });
  await recordRefund(seller.id, sale.id);
  const booked = await sql`select r.charge_id, r.amount_cents, r.status, r.origin from refunds r
    inner join charges c on c.id = r.charge_id where c.sale_id = ${sale.id}`;
  expect([...booked]).toEqual([
    { charge_id: charge.id, amount_cents: 9700, status: "done", origin: "recorded" },
  ]);
  expect(await sql`select next_check_at from charges where id = ${charge.id}`).toEqual([
    { next_check_at: null },
  ]);
});

test("a sale that was booked without a charge is recorded as refunded once, with its mail", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await recordRefund(seller.id, sale.id);
  await expect(recordRefund(seller.id, sale.id)).rejects.toMatchObject({ kind: "conflict" });
  expect(await sql`select status, refunded_cents from sales where id = ${sale.id}`).toEqual([
    { status: "refunded", refunded_cents: 9700 },
  ]);
  expect(await sql`select kind, recipient from mails where sale_id = ${sale.id}`).toEqual([
    { kind: "refund", recipient: sale.customerEmail },
  ]);
});

test("a refund recorded manually books only what the payment's earlier refunds left, if anything", async () => {
  for (const [returnedCents, refunds] of [
    [9700, [9700]],
    [3000, [3000, 6700]],
  ] as const) {
    const { seller, sale, charge } = await paidSale();
    await addRefund(charge, ended("done", { amount_cents: returnedCents }));
    await recordRefund(seller.id, sale.id);
    const rows =
      await sql`select amount_cents from refunds where charge_id = ${charge.id} order by amount_cents`;
    expect(rows.map(({ amount_cents }) => amount_cents)).toEqual(refunds);
    expect(await sql`select status, refunded_cents from sales where id = ${sale.id}`).toEqual([
      { status: "refunded", refunded_cents: 9700 },
    ]);
  }
});

test("open pages of a sale are notified of an overpayment that was refunded manually", async () => {
  const { seller, sale } = await paidSale();
  const extra = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  const notified: string[] = [];
  const { unlisten } = await sql.listen("sale", (payload) => void notified.push(payload));
  await recordOverpaymentRefund(seller.id, extra.id);
  await until(() => notified.includes(sale.id));
  await unlisten();
});

test("a refund ends its sale where it is all that is left of the payment that counts", async () => {
  const { seller, sale, charge } = await paidSale();
  const ends = (chargeId: string, cents: number | null = null) =>
    endsSale(seller.id, sale.id, { chargeId, cents });
  expect([await ends(charge.id), await ends(charge.id, 9700)]).toEqual([true, true]);
  expect(await ends(charge.id, 9699)).toBe(false);
  const extra = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  expect(await ends(extra.id)).toBe(false);
  await expect(ends(randomUUID())).rejects.toMatchObject({ kind: "not-found" });
});

test.each<[string, (sale: { id: string }, charge: { id: string; sellerId: string }) => Promise<unknown>]>([
  ["is requested already", (_, charge) => addRefund(charge)],
  ["is accepted already", (_, charge) => addRefund(charge, { accepted_at: new Date() })],
  [
    "comes after the provider's 90 days",
    async (_, { id }) => sql`update charges set paid_at = now() - interval '91 days' where id = ${id}`,
  ],
  ["is of a disputed payment", async ({ id }) => sql`update sales set status = 'disputed' where id = ${id}`],
])("a refund that %s ends no sale", async (_, change) => {
  const { seller, sale, charge } = await paidSale();
  await change(sale, charge);
  expect(await endsSale(seller.id, sale.id, { chargeId: charge.id, cents: null })).toBe(false);
});

test("each payment of a sale is shown with its kind, its refund, and until when its provider refunds it", async () => {
  const paidAt = new Date(Date.now() - 10 * DAY);
  const { seller, sale, charge } = await paidSale({ paidAt });
  await makeCharge(sale, { status: "expired" });
  const later = (hours: number) => new Date(paidAt.getTime() + hours * 3_600_000);
  const extra = await makeCharge(sale, {
    ...{ provider: "antigo", status: "paid", paidAt: later(1), overpaidAt: later(1) },
  });
  const wrong = await makeCharge(sale, { status: "mispaid", paidAt: later(2), paidCents: 1000 });
  await addRefund(charge);
  await addRefund(extra, { amount_cents: 3000 });
  await addRefund(wrong, {
    ...ended("done", { amount_cents: 400, origin: "recorded" }),
    requested_at: later(3),
  });
  await addRefund(
    wrong,
    ended("refused", { amount_cents: 500, failure_kind: "refused", failure_detail: "Sem saldo" }),
  );
  await sql`update sales set cancelled_since = now(), cancelled_checked_at = now() where id = ${sale.id}`;
  const none = { cancelledSince: null, cancelledCheckedAt: null, partial: false, withinDays: 90 };
  const [counts, surplus, mismatch, ...others] = (await showRefund(seller.id, sale.id)).payments;
  expect(others).toEqual([]);
  expect(counts).toMatchObject({
    ...{ chargeId: charge.id, kind: "counts", status: "requested", leftCents: 9700, requestedCents: null },
    ...{ provider: "PushInPay", refundableUntil: new Date(paidAt.getTime() + 90 * DAY), reason: null },
    ...{ ...none, cancelledSince: expect.any(Date), cancelledCheckedAt: expect.any(Date) },
    ...{ refundedAt: null, isRefundRecorded: false },
  });
  // A provider that the product no longer knows.
  expect(surplus).toMatchObject({
    ...{
      chargeId: extra.id,
      kind: "overpayment",
      status: "requested",
      leftCents: 9700,
      requestedCents: 3000,
    },
    ...{ provider: "antigo", refundableUntil: new Date(later(1).getTime() + 90 * DAY), ...none },
  });
  expect(mismatch).toMatchObject({
    ...{ chargeId: wrong.id, kind: "amount-mismatch", status: "refused", amountCents: 1000, leftCents: 600 },
    ...{ requestedCents: null, refundedAt: expect.any(Date), isRefundRecorded: true, ...none },
    reason: expect.stringMatching(/Sem saldo\. Se falta saldo.*“Já devolvi pelo banco”/),
  });
});

test("a refused refund of the payment that counts leads to the sale's own button", async () => {
  const { seller, sale, charge } = await paidSale();
  await addRefund(charge, ended("refused", { failure_kind: "refused", failure_detail: "Sem saldo" }));
  const [payment] = (await showRefund(seller.id, sale.id)).payments;
  expect(payment!.reason).toContain("marque como reembolsada");
});

test("of a sale that was charged back nothing is left to refund except its overpayment", async () => {
  const { seller, sale } = await paidSale();
  await makeCharge(sale, { status: "paid", paidAt: new Date(Date.now() + 1000), overpaidAt: new Date() });
  await sql`update sales set status = 'chargedback', refunded_cents = 9700, cancelled_since = now() where id = ${sale.id}`;
  expect((await showRefund(seller.id, sale.id)).payments).toMatchObject([
    { kind: "counts", status: "contested", leftCents: 0, cancelledSince: null },
    { kind: "overpayment", status: "none", leftCents: 9700, cancelledSince: null },
  ]);
});
