import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { settleCharge, settleInOneStatement } from "#app/domain/settlement/settle-charge.server.ts";
import { buy, openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

await startApp({ web: 0, worker: 0 });

/** An order with a PIX, what was read of it before the check, and the provider's answer: paid. */
async function paidOrder() {
  const shop = await openShop();
  const { saleId, chargeId, providerId } = await buy(shop.product.id);
  const [row] = await sql`select status, method, amount_cents, checks from charges where id = ${chargeId}`;
  const { status, method, amount_cents, checks } = row!;
  const charge = {
    ...{ id: chargeId, sellerId: shop.seller.id },
    ...{ status, method, amountCents: amount_cents, checks },
  };
  const read = { charge, sale: (await readSaleContacts(db, saleId))! };
  const amountCents = charge.amountCents as number;
  const paid: ProviderTransaction = {
    ...{ providerId, state: "paid", providerStatus: "paid", amountCents, feeCents: 97 },
    ...{ refundedCents: null, webhookUrl: null },
  };
  return { shop, saleId, chargeId, read, paid };
}

/** All rows that a settlement may write, of one sale. */
async function written(saleId: string) {
  const [row] = await sql`select (select row_to_json(s) from sales s where id = ${saleId}) as sale,
    (select json_agg(c) from charges c where sale_id = ${saleId}) as charges,
    (select json_agg(e order by e.id) from sale_events e where sale_id = ${saleId}) as "saleEvents",
    (select json_agg(e order by e.id) from charge_events e inner join charges c on c.id = e.charge_id where c.sale_id = ${saleId}) as "chargeEvents",
    (select json_agg(r) from refunds r inner join charges c on c.id = r.charge_id where c.sale_id = ${saleId}) as refunds,
    (select json_agg(m order by m.id) from mails m where sale_id = ${saleId}) as mails,
    (select json_agg(o order by o.id) from deliveries o where sale_id = ${saleId}) as news`;
  return row;
}

test("the usual payment is booked, with all that follows, in one statement", async () => {
  const { saleId, chargeId, read, paid, shop } = await paidOrder();
  const { result, count } = await countStatements(() => settleCharge(chargeId, paid, read));
  expect([result, count]).toEqual(["settled", 1]);
  expect(await stateOf(saleId)).toMatchObject({
    ...{ status: "completed", completions: 1, mails: 1 },
    charges: [{ status: "paid", surplus: false }],
  });
  const mails =
    await sql`select kind, recipient from mails where sale_id = ${saleId} and kind <> 'pix' order by kind`;
  expect(mails).toMatchObject([
    { kind: "new-sale", recipient: shop.seller.email },
    { kind: "purchase", recipient: "bia@exemplo.com.br" },
  ]);
  const [books] =
    await sql`select c.paid_cents, c.fee_cents as charged, s.fee_cents as sold, c.paid_at = s.completed_at as same
    from charges c inner join sales s on s.id = c.sale_id where s.id = ${saleId}`;
  expect(books).toEqual({ paid_cents: read.charge.amountCents, charged: 97, sold: 97, same: true });
});

/** What may change between check and answer: then the short way writes nothing, and the full one finds it. */
const CHANGES: Record<
  string,
  { change: (order: Awaited<ReturnType<typeof paidOrder>>) => Promise<unknown>; outcome: string }
> = {
  "the buyer's address": {
    change: ({ saleId }) =>
      sql`update sales set customer_email = 'certo@exemplo.com.br' where id = ${saleId}`,
    outcome: "settled",
  },
  "the seller's address": {
    change: ({ shop }) => sql`update sellers set email = 'novo' || email where id = ${shop.seller.id}`,
    outcome: "settled",
  },
  "the seller's wish to be told": {
    change: ({ shop }) => sql`update sellers set notify_new_sale = false where id = ${shop.seller.id}`,
    outcome: "settled",
  },
  "the code, which expired": {
    change: ({ chargeId }) => sql`update charges set status = 'expired' where id = ${chargeId}`,
    outcome: "settled",
  },
  "the order, which was closed": {
    change: ({ saleId }) => sql`update sales set status = 'cancelled' where id = ${saleId}`,
    outcome: "settled",
  },
  "the order, which failed": {
    change: ({ saleId }) => sql`update sales set status = 'failed' where id = ${saleId}`,
    outcome: "settled",
  },
  "the order, which was paid by another code": {
    change: ({ saleId }) =>
      sql`update sales set status = 'completed', completed_at = now() where id = ${saleId}`,
    outcome: "overpayment",
  },
  "the charge, which was booked": {
    change: ({ chargeId, paid }) => settleCharge(chargeId, paid),
    outcome: "already",
  },
};

test.for(Object.entries(CHANGES))("seen late: %s", async ([, { change, outcome }]) => {
  const order = await paidOrder();
  const { saleId, chargeId, read, paid } = order;
  await change(order);
  const before = await written(saleId);
  expect(await settleInOneStatement(read, paid)).toBe(false);
  expect(await written(saleId)).toEqual(before);
  expect(await settleCharge(chargeId, paid, read)).toBe(outcome);
  const now = (await readSaleContacts(db, saleId))!;
  const mailed =
    await sql`select kind, recipient from mails where sale_id = ${saleId} and kind in ('purchase', 'new-sale')`;
  const due = [
    { kind: "purchase", recipient: now.customerEmail },
    ...(now.notifyNewSale ? [{ kind: "new-sale", recipient: now.sellerEmail }] : []),
  ];
  expect([...mailed]).toEqual(outcome === "overpayment" ? [] : expect.arrayContaining(due));
  expect(mailed).toHaveLength(outcome === "overpayment" ? 0 : due.length);
  expect(await stateOf(saleId)).toMatchObject({ status: "completed" });
});

test("it waits for a concurrent change of the sale, and sees it", async () => {
  const { saleId, chargeId, read, paid } = await paidOrder();
  const lock = await holdLock(
    (tx) => tx`update sales set customer_email = 'certo@exemplo.com.br' where id = ${saleId}`,
  );
  const settled = settleCharge(chargeId, paid, read);
  await untilLockedOut();
  await lock.release();
  expect(await settled).toBe("settled");
  expect(await sql`select recipient from mails where sale_id = ${saleId} and kind = 'purchase'`).toEqual([
    { recipient: "certo@exemplo.com.br" },
  ]);
  expect(await stateOf(saleId)).toMatchObject({ completions: 1, mails: 1 });
});

test("a concurrent change of something else is kept, and blocks nothing", async () => {
  const { saleId, chargeId, read, paid } = await paidOrder();
  const lock = await holdLock(async (tx) => {
    await tx`update charges set checks = checks + 1 where id = ${chargeId}`;
    await tx`update sales set customer_name = 'Bia Certa' where id = ${saleId}`;
  });
  const settled = settleInOneStatement(read, paid);
  await untilLockedOut();
  await lock.release();
  expect(await settled).toBe(true);
  const [row] = await sql`select s.customer_name, c.checks, c.status from sales s
    inner join charges c on c.sale_id = s.id where s.id = ${saleId}`;
  expect(row).toEqual({ customer_name: "Bia Certa", checks: read.charge.checks + 1, status: "paid" });
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
});

test("a webhook that arrives while it is booked is checked", async () => {
  const { saleId, chargeId, read, paid } = await paidOrder();
  const lock = await holdLock(async (tx) => {
    await tx`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
      values ('pushinpay', ${chargeId}, (select seller_id from charges where id = ${chargeId}), ${chargeId}, ${paid.providerId}, 'refunded', 'canceled')`;
    await tx`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  });
  const settled = settleCharge(chargeId, paid, read);
  await untilLockedOut();
  await lock.release();
  expect(await settled).toBe("settled");
  expect(await stateOf(saleId)).toMatchObject({ completions: 1, mails: 1 });
  const [charge] = await sql`select next_check_at <= now() as due from charges where id = ${chargeId}`;
  expect(charge!.due).toBe(true);
});

test("a change that is rolled back has no effect", async () => {
  const { saleId, read, paid } = await paidOrder();
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
  let held = false;
  const change = sql.begin(async (tx) => {
    await tx`update charges set next_check_at = now() where sale_id = ${saleId}`;
    await tx`update sales set customer_email = 'certo@exemplo.com.br' where id = ${saleId}`;
    held = true;
    await given;
  });
  const gone = expect(change).rejects.toThrow("given up");
  await until(() => held);
  const settled = settleInOneStatement(read, paid);
  await untilLockedOut();
  giveUp(new Error("given up"));
  await gone;
  expect(await settled).toBe(true);
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
});

test("twenty at once book it once", async () => {
  const { saleId, chargeId, read, paid } = await paidOrder();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => settleCharge(chargeId, paid, read)));
  expect(outcomes.filter((outcome) => outcome === "settled")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "already")).toHaveLength(19);
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  const [row] =
    await sql`select count(*)::int as n from charge_events where charge_id = ${chargeId} and kind = 'paid'`;
  expect(row!.n).toBe(1);
});

/** Answers that are no usual payment. */
const OTHERS: Record<string, Partial<ProviderTransaction>> = {
  "less than was asked for": { amountCents: 9600 },
  "more than was asked for": { amountCents: 9800 },
  "gone back": { state: "refunded" },
  "gone back in part": { refundedCents: 100 },
  open: { state: "open" },
  expired: { state: "expired" },
  cancelled: { state: "cancelled" },
  unclear: { state: "unclear" },
};

test.for(Object.entries(OTHERS))("an answer is not booked so: %s", async ([, answer]) => {
  const { saleId, read, paid } = await paidOrder();
  const before = await written(saleId);
  expect(await settleInOneStatement(read, { ...paid, ...answer })).toBe(false);
  expect(await written(saleId)).toEqual(before);
});

test("neither a payment that is booked already nor a second one is booked so", async () => {
  const { saleId, chargeId, read, paid } = await paidOrder();
  await settleCharge(chargeId, paid);
  const sale = (await readSaleContacts(db, saleId))!;
  const before = await written(saleId);
  for (const status of ["paid", "open"] as const)
    expect(await settleInOneStatement({ charge: { ...read.charge, status }, sale }, paid)).toBe(false);
  expect(await written(saleId)).toEqual(before);
});

test("a payment is not booked so while its own check is due again, whatever else was charged for the order", async () => {
  const { saleId, chargeId, read, paid } = await paidOrder();
  await makeCharge({ id: saleId, amountCents: paid.amountCents });
  await sql`update charges set next_check_at = now() where id = ${chargeId}`;
  const before = await written(saleId);
  expect(await settleInOneStatement(read, paid)).toBe(false);
  expect(await written(saleId)).toEqual(before);
});
