import { expect, test } from "vitest";
import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import {
  scheduleReconciliation,
  scheduleStatementChecks,
} from "#app/domain/reconciliation/schedule-reconciliation.server.ts";
import { loadReconciliation } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { answered, monthAt, paidSale, refunded } from "#tests/integration/reconciliation/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

/** A moment of a month that is over. */
const NOON = new Date("2026-10-10T15:00:00Z");

/** A shop with one payment of R$ 97,00. */
async function shopWithPayment(fields: Parameters<typeof paidSale>[2] = {}) {
  const shop = await openShop();
  const paid = await paidSale(shop.product, NOON, fields);
  const read = async () => {
    const { days, differences } = await monthAt(shop.seller.id, NOON);
    return { day: days[0]!, differences, kinds: differences.map(({ kind }) => kind) };
  };
  return { ...shop, ...paid, read };
}

test("a payment is to be checked until its provider has confirmed it after it was booked", async () => {
  const { charge, read } = await shopWithPayment({ charge: { feeCents: 35 } });
  expect(await read()).toMatchObject({
    day: {
      day: "2026-10-10",
      sales: 1,
      payments: 1,
      unchecked: 1,
      checkable: 1,
      confirmed: 0,
      confirmedAt: null,
    },
    kinds: [],
  });
  // The check that booked it: its answer came before the booking, and it ended after it.
  await sql`update charges set last_checked_at = paid_at + interval '20 milliseconds' where id = ${charge.id}`;
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
    select id, seller_id, 'asked', '{"state": "paid"}', 'system', paid_at - interval '10 milliseconds' from charges where id = ${charge.id}`;
  expect((await read()).day).toMatchObject({ unchecked: 1, confirmed: 0 });
  await answered(charge, "paid");
  expect((await read()).day).toMatchObject({
    ...{ unchecked: 0, checkable: 0, confirmed: 1, differences: 0, differenceCents: 0 },
    ...{ receivedCents: 9700, refundedCents: 0, feeCents: 35, withoutFee: 0, netCents: 9665 },
    confirmedAt: new Date("2026-10-10T16:00:00Z"),
  });
});

test("a payment of another amount differs until it was refunded", async () => {
  const { product, seller } = await openShop();
  const sale = await makeSale(product, { createdAt: NOON });
  const charge = await makeCharge(sale, { status: "mispaid", paidAt: NOON, paidCents: 5000 });
  await answered(charge, "paid");
  const read = () => monthAt(seller.id, NOON);
  expect(await read()).toMatchObject({
    days: [
      { sales: 0, payments: 1, receivedCents: 5000, differences: 1, differenceCents: 5000, confirmed: 1 },
    ],
    differences: [
      { kind: "amount-mismatch", cents: 5000, receivedCents: 5000, expectedCents: 9700, saleId: sale.id },
    ],
  });
  await refunded(charge, { status: "done" });
  expect(await read()).toMatchObject({
    days: [{ receivedCents: 5000, refundedCents: 5000, netCents: 0, differences: 0, confirmed: 1 }],
    differences: [],
  });
});

test("a second payment differs until it was refunded", async () => {
  const { charge, sale, read } = await shopWithPayment();
  await answered(charge, "paid");
  const second = await makeCharge(sale, {
    ...{ status: "paid", paidAt: NOON, overpaidAt: NOON, paidCents: sale.amountCents },
  });
  await answered(second, "paid");
  expect(await read()).toMatchObject({
    day: {
      sales: 1,
      payments: 2,
      receivedCents: 19_400,
      differences: 1,
      differenceCents: 9700,
      completedSales: 1,
    },
    differences: [{ kind: "overpayment", chargeId: second.id, saleId: sale.id }],
  });
  await refunded(second, { status: "pending" });
  expect((await read()).kinds).toEqual(["refund-pending"]);
  await sql`update refunds set status = 'done', ended_at = now() where charge_id = ${second.id}`;
  expect(await read()).toMatchObject({ day: { differences: 0, netCents: 9700, confirmed: 2 }, kinds: [] });
});

test("an order that was placed months ago counts on the day it is paid, and a second payment of it while it waits", async () => {
  const { product, seller } = await openShop();
  const june = new Date("2026-06-10T15:00:00Z");
  await paidSale(product, NOON, { sale: { createdAt: june } });
  const { sale } = await paidSale(product, june);
  const fields = { status: "paid", paidAt: NOON, overpaidAt: NOON, paidCents: sale.amountCents } as const;
  await makeCharge(sale, fields);
  const { days, differences } = await monthAt(seller.id, NOON);
  expect(days).toMatchObject([
    { day: "2026-10-10", sales: 1, payments: 2, differences: 1, completedSales: 1 },
  ]);
  expect(differences).toMatchObject([{ kind: "overpayment", saleId: sale.id }]);
});

test("a refund made at the provider is explained, and the day agrees", async () => {
  const { charge, read } = await shopWithPayment();
  await answered(charge, "paid");
  await refunded(charge, { status: "done", origin: "observed", cents: 2000 });
  expect(await read()).toMatchObject({
    day: {
      refundedCents: 2000,
      netCents: 7700,
      differences: 0,
      differenceCents: 0,
      explained: 1,
      confirmed: 1,
    },
    kinds: ["refund-observed"],
  });
});

test("a requested refund differs until the provider shows it; one that it never confirmed until the seller looked", async () => {
  const { charge, read } = await shopWithPayment();
  await answered(charge, "paid");
  await refunded(charge, { status: "pending", cents: 2000 });
  expect(await read()).toMatchObject({
    day: { differences: 1, differenceCents: 2000 },
    kinds: ["refund-pending"],
  });
  await sql`update refunds set status = 'unconfirmed', ended_at = now() where charge_id = ${charge.id}`;
  expect(await read()).toMatchObject({ day: { differenceCents: 2000 }, kinds: ["refund-unconfirmed"] });
  await sql`update refunds set dismissed_at = now() where charge_id = ${charge.id}`;
  expect(await read()).toMatchObject({ day: { differences: 0 }, kinds: [] });
});

test("of a payment that its bank took back, neither a refund that was not confirmed nor its provider's answer differs", async () => {
  const { charge, sale, read } = await shopWithPayment();
  await refunded(charge, { status: "unconfirmed" });
  await answered(charge, "cancelled");
  await sql`update sales set status = 'chargedback', refunded_cents = amount_cents where id = ${sale.id}`;
  expect(await read()).toMatchObject({
    day: { differences: 0, differenceCents: 0, refundedCents: 9700, netCents: 0 },
    kinds: [],
  });
  await sql`update charges set overpaid_at = now() where id = ${charge.id}`;
  expect((await read()).kinds).toContain("refund-unconfirmed");
});

test("a refund that only the seller knows of is explained; without an answer since, it cannot be checked", async () => {
  const { charge, read } = await shopWithPayment({
    sale: { status: "refunded", refundedAt: NOON, refundedCents: 9700 },
  });
  await refunded(charge, { status: "done", origin: "recorded" });
  expect(await read()).toMatchObject({
    day: {
      netCents: 0,
      confirmed: 0,
      unchecked: 0,
      uncheckable: 1,
      checkable: 0,
      explained: 1,
      completedSales: 0,
    },
    kinds: ["refund-recorded"],
  });
  await answered(charge, "paid");
  expect((await read()).day).toMatchObject({ confirmed: 1, uncheckable: 0, explained: 1 });
});

test("a transaction that the provider does not know differs, until it knows it again", async () => {
  const { charge, read } = await shopWithPayment();
  await answered(charge, "unknown");
  expect(await read()).toMatchObject({
    day: { differences: 1, differenceCents: 9700, confirmed: 0, unchecked: 0, checkable: 1 },
    kinds: ["unknown-there"],
  });
  await answered(charge, "paid");
  expect(await read()).toMatchObject({ day: { differences: 0, confirmed: 1 }, kinds: [] });
});

test("a payment that its provider shows as cancelled differs until the seller looked there", async () => {
  const { charge, sale, read } = await shopWithPayment();
  await answered(charge, "cancelled");
  expect(await read()).toMatchObject({ day: { differences: 1, confirmed: 0 }, kinds: ["not-paid-there"] });
  await sql`update sales set cancelled_since = now(), cancelled_checked_at = now() where id = ${sale.id}`;
  expect(await read()).toMatchObject({
    day: { differences: 0, confirmed: 1, explained: 1 },
    kinds: ["cancellation-checked"],
  });
});

test("an announced payment differs on the day of its webhook, until a check has handled it", async () => {
  const { product, seller } = await openShop();
  const sale = await makeSale(product, { createdAt: NOON });
  const charge = await makeCharge(sale);
  const announce = (
    state: string,
  ) => sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id,
    state, provider_status, received_at) values ('pushinpay', ${charge.id}, ${seller.id}, ${crypto.randomUUID()}, ${charge.providerId},
    ${state}, ${state}, ${NOON})`;
  await announce("open");
  expect(await monthAt(seller.id, NOON)).toMatchObject({ days: [], differences: [] });
  await announce("paid");
  await announce("paid");
  expect(await monthAt(seller.id, NOON)).toMatchObject({
    days: [
      {
        day: "2026-10-10",
        payments: 0,
        receivedCents: 0,
        differences: 1,
        differenceCents: 9700,
        checkable: 1,
      },
    ],
    differences: [{ kind: "announced", saleId: sale.id, receivedCents: null }],
  });
  await sql`update payment_webhooks set handled_at = now()`;
  expect((await monthAt(seller.id, NOON)).days).toEqual([]);
});

test("of what no key is stored for, nobody is said to ask: an announced payment, a refund, a payment that the statement has not or alone has", async () => {
  const { seller, product } = await openShop();
  const [announced, unbooked] = [
    await makeCharge(await makeSale(product)),
    await makeCharge(await makeSale(product)),
  ];
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
    values ('pushinpay', ${announced.id}, ${seller.id}, ${crypto.randomUUID()}, ${announced.providerId}, 'paid', 'paid', ${NOON})`;
  const line = (chargeId: string, kind: string, cents: number) =>
    sql`insert into statement_lines (seller_id, charge_id, kind, at, amount_cents, source_id)
      values (${seller.id}, ${chargeId}, ${kind}, ${NOON}, ${cents}, ${crypto.randomUUID()})`;
  await line(unbooked.id, "payment", 9700);
  const [returned, pending] = [await paidSale(product, NOON), await paidSale(product, NOON)];
  for (const [kind, cents] of [
    ["payment", 9700],
    ["refund", -9700],
  ] as const)
    await line(returned.charge.id, kind, cents);
  await answered(returned.charge, "paid");
  await answered(pending.charge, "paid");
  await refunded(pending.charge, { status: "pending" });
  await sql`insert into statements (seller_id, provider, day) values (${seller.id}, 'pushinpay', '2026-10-10')`;
  const days = readReconciledDays(new URLSearchParams(), NOON);
  const read = async () => {
    const view = await loadReconciliation(seller.id, new URLSearchParams("month=2026-10"), NOON);
    const ofKinds = view.differences.map(({ kind, advice, key }) => [kind, advice, key] as const);
    return { checkable: view.checkable, ofKinds };
  };
  const kinds = ["announced", "refund-pending", "statement-refund", "statement-unbooked"];
  const before = await read();
  expect(before.ofKinds.map(([kind]) => kind).sort()).toEqual(kinds);
  expect(before.ofKinds.map(([, , key]) => key)).toEqual([null, null, null, null]);
  expect([before.checkable, await scheduleReconciliation(seller.id, days)]).toEqual([3, 3]);
  await sql`update gateway_keys set api_key_sealed = null where seller_id = ${seller.id}`;
  const after = await read();
  expect(after.ofKinds.map(([kind]) => kind).sort()).toEqual(kinds);
  for (const [, advice, key] of after.ofKinds) {
    expect([advice.includes("conecte-a de novo"), key]).toEqual([true, "Conectar a conta"]);
    expect(advice).not.toMatch(/Vamos perguntar|Continuamos|Conferir agora/);
  }
  expect([after.checkable, await scheduleReconciliation(seller.id, days)]).toEqual([0, 0]);
  expect(await scheduleStatementChecks(seller.id, "2026-10-10")).toBe(0);
});

test("without a key that the provider accepts, a payment cannot be checked, and says why", async () => {
  const { seller, charge, sale, read } = await shopWithPayment();
  await sql`update gateway_accounts set key_refused_at = now() where seller_id = ${seller.id}`;
  expect(await read()).toMatchObject({
    day: { unchecked: 0, uncheckable: 1, checkable: 1, differences: 0 },
    kinds: ["key-refused"],
  });
  await sql`update gateway_keys set accepted_at = now() where seller_id = ${seller.id}`;
  expect(await read()).toMatchObject({ day: { unchecked: 1, uncheckable: 0 }, kinds: [] });
  await sql`update gateway_accounts set key_id = null where seller_id = ${seller.id}`;
  expect(await read()).toMatchObject({ day: { uncheckable: 1, checkable: 0 }, kinds: ["key-missing"] });
  // A payment that was confirmed before needs none.
  await answered(charge, "paid");
  expect(await read()).toMatchObject({ day: { uncheckable: 0, confirmed: 1 }, kinds: [] });
  await sql`delete from charges where sale_id = ${sale.id}`;
  expect(await read()).toMatchObject({ day: { payments: 1, uncheckable: 1 }, kinds: ["no-charge"] });
});
