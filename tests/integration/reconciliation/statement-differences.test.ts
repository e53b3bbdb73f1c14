import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { describeResult } from "#app/domain/reconciliation/describe-sums.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { loadReconciliation } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { openRigsWithSandbox } from "#tests/integration/providers/support.ts";
import {
  clearStatements,
  shopWithStatement,
  workOnChecks,
  workUntilRead,
} from "#tests/integration/reconciliation/statement-support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { refresh } from "#tests/support/rows/make-reports.ts";

let rig: Rig;
let sandbox: SandboxControl;

beforeAll(async () => {
  const opened = await openRigsWithSandbox();
  sandbox = opened.sandbox;
  rig = new Map(opened.rigs).get("Mercado Pago")!;
  await sandbox.webhooks({ drop: true });
});
beforeEach(clearStatements);
afterEach(() => sandbox.post("/mercadopago", { reports: {} }));

const open = (payments: number) => shopWithStatement(rig, sandbox, payments);
const play = (reports: object) => sandbox.post("/mercadopago", { reports });
const payment = (reference: string, cents: number) => ({
  reference,
  type: "SETTLEMENT",
  cents,
  feeCents: 10,
});

test("a payment that the statement lacks differs, until the provider confirms it", async () => {
  const shop = await open(2);
  const [missing, there] = shop.paid as [(typeof shop.paid)[0], (typeof shop.paid)[0]];
  await play({ omit: [missing.reference] });
  await shop.readStatement();
  expect(await shop.read()).toMatchObject({
    ...{ confirmed: 1, unchecked: 1, differences: 1, differenceCents: 9700, checkable: 1, withoutFee: 1 },
    listed: [{ kind: "statement-missing", chargeId: missing.chargeId, cents: 9700 }],
  });
  expect(await workOnChecks()).toEqual([missing.chargeId]);
  expect(await shop.read()).toMatchObject({
    ...{ confirmed: 2, differences: 0, explained: 1, kinds: ["statement-omits"] },
  });
  expect(await shop.fees(missing.chargeId)).toEqual({ charge: null, sale: null });
  expect(await shop.fees(there.chargeId)).toEqual({ charge: 35, sale: 35 });
});

test("a payment is not missing while a day on which it may be is unread, or was read with another key", async () => {
  const shop = await open(1);
  await play({ omit: [shop.paid[0]!.reference] });
  await shop.readStatement();
  await sql`update statements set key_id = gen_random_uuid() where seller_id = ${shop.seller.id}`;
  expect(await shop.read()).toMatchObject({ differences: 0, unchecked: 1 });
  await sql`update statements set key_id = ${shop.gateway.keyId}, read_at = case when day = ${shop.day} then null else read_at end
    where seller_id = ${shop.seller.id}`;
  expect(await shop.read()).toMatchObject({ differences: 0, unchecked: 1 });
});

test("a payment with another amount differs, until a statement that is read again agrees", async () => {
  const shop = await open(1);
  await play({ amounts: { [shop.paid[0]!.reference]: 9000 } });
  await shop.readStatement();
  expect(await shop.read()).toMatchObject({
    ...{ confirmed: 0, differences: 1, differenceCents: 700, kinds: ["statement-amount"] },
  });
  await workOnChecks();
  expect(await shop.read()).toMatchObject({ confirmed: 1, differences: 1, kinds: ["statement-amount"] });
  await play({});
  expect(await shop.press()).toBe(1);
  await workUntilRead();
  expect(await shop.lines()).toMatchObject([{ amount: 9700 }]);
  expect(await shop.read()).toMatchObject({ confirmed: 1, differences: 0, kinds: [] });
});

test("a payment that only the statement has differs, and is booked as soon as the provider confirms it", async () => {
  const shop = await open(0);
  const { chargeId, providerId } = await shop.buy();
  await sandbox.pay(providerId);
  await shop.readStatement();
  expect(await shop.read()).toMatchObject({
    ...{ payments: 0, differences: 1, differenceCents: 9700, checkable: 1 },
    listed: [{ kind: "statement-unbooked", chargeId, receivedCents: null }],
  });
  expect(await workOnChecks()).toEqual([chargeId]);
  expect(await shop.read()).toMatchObject({
    payments: 1,
    differences: 0,
    confirmed: 1,
    kinds: [],
    withoutFee: 1,
  });
  // The next statement brings the fee of what was booked since.
  await shop.readStatement();
  expect(await shop.fees(chargeId)).toEqual({ charge: 35, sale: 35 });
});

test("payments of another system at the same account are counted, and no difference", async () => {
  const [shop, neighbour] = [await open(1), await open(1)];
  await play({
    extra: [payment("loja-fisica-1", 5000), payment("", 100), payment(neighbour.paid[0]!.reference, 9700)],
  });
  await shop.readStatement();
  const day = await shop.read();
  expect(day).toMatchObject({ otherPayments: 3, differences: 0, confirmed: 1, kinds: [] });
  expect(await shop.lines()).toHaveLength(1);
  expect(describeResult(day)).toBe("Tudo confere: 1 venda, R$ 0,00 de diferença.");
  const view = await loadReconciliation(shop.seller.id, new URLSearchParams({ day: shop.day }), new Date());
  expect(view.result.statements).toBe(
    "O extrato do provedor deste dia foi lido. Nele há 3 pagamentos de outros sistemas da mesma conta, que não são vendas daqui.",
  );
});

test("a refund that only the statement has differs, and is booked with its part of the fee", async () => {
  const shop = await open(1);
  const [{ chargeId, providerId }] = shop.paid as [(typeof shop.paid)[0]];
  await sandbox.refund(providerId);
  await shop.readStatement();
  expect(await shop.lines()).toMatchObject([
    { kind: "payment", amount: 9700, fee: 35 },
    { kind: "refund", amount: -9700, fee: -35 },
  ]);
  expect(await shop.read()).toMatchObject({
    ...{ confirmed: 0, differences: 1, differenceCents: 9700, kinds: ["statement-refund"], feeCents: 0 },
  });
  expect(await workOnChecks()).toEqual([chargeId]);
  expect(await shop.read()).toMatchObject({ confirmed: 1, differences: 0, refundedCents: 9700, netCents: 0 });
  expect(await shop.fees(chargeId)).toEqual({ charge: 0, sale: 0 });
});

test("a refund that is booked and in no statement differs", async () => {
  const shop = await open(1);
  const [{ chargeId }] = shop.paid as [(typeof shop.paid)[0]];
  await shop.readStatement();
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
    values (${chargeId}, ${shop.seller.id}, 2500, 'done', 'requested', now(), now())`;
  expect(await shop.read()).toMatchObject({
    ...{ differences: 1, differenceCents: 2500, kinds: ["statement-no-refund"] },
  });
  // What the seller recorded was given back elsewhere.
  await sql`update refunds set origin = 'recorded' where charge_id = ${chargeId}`;
  expect(await shop.read()).toMatchObject({ differences: 0, kinds: ["refund-recorded"] });
});

test("a chargeback differs unless it is known here; its line may name the payment by the provider's id alone", async () => {
  const shop = await open(1);
  const [{ chargeId, saleId, reference }] = shop.paid as [(typeof shop.paid)[0]];
  await shop.readStatement();
  // As the sandbox numbers its first further line.
  await sql`update statement_lines set source_id = '9000000' where charge_id = ${chargeId}`;
  await play({ omit: [reference], extra: [{ reference: "do-caso", type: "CHARGEBACK", cents: -9700 }] });
  await shop.readStatement();
  expect(await shop.read()).toMatchObject({
    differences: 1,
    differenceCents: 9700,
    kinds: ["statement-refund"],
  });
  await sql`update sales set status = 'disputed' where id = ${saleId}`;
  expect(await shop.read()).toMatchObject({ differences: 0 });
  await sql`update sales set status = 'chargedback' where id = ${saleId}`;
  expect(await shop.read()).toMatchObject({ differences: 0 });
});

test("a chargeback that the seller won is two lines of one moment, and no difference", async () => {
  const shop = await open(1);
  const [{ chargeId, reference }] = shop.paid as [(typeof shop.paid)[0]];
  const line = (type: string, cents: number) => ({ reference, type, cents });
  await play({ extra: [line("CHARGEBACK", -9700), line("CHARGEBACK_CANCEL", 9700)] });
  await shop.readStatement();
  expect((await shop.lines()).map(({ kind, amount }) => [kind, amount])).toEqual(
    expect.arrayContaining([
      ["payment", 9700],
      ["chargeback", 9700],
      ["chargeback", -9700],
    ]),
  );
  expect(await shop.read()).toMatchObject({ confirmed: 1, differences: 0, kinds: [] });
  expect(await shop.fees(chargeId)).toEqual({ charge: 35, sale: 35 });
});

test("the fee of a second payment is missing in what it leaves, counts among the fees, and not as its sale's own", async () => {
  const shop = await open(1);
  const [{ saleId }] = shop.paid as [(typeof shop.paid)[0]];
  const reference = crypto.randomUUID();
  const [{ id }] =
    (await sql`insert into charges (seller_id, sale_id, provider, gateway_key_id, reference, provider_id, status, amount_cents,
      paid_cents, paid_at, overpaid_at)
    values (${shop.seller.id}, ${saleId}, 'mercadopago', ${shop.gateway.keyId}, ${reference}, ${reference}, 'paid', 9700, 9700, now(), now())
    returning id`) as [{ id: string }];
  await play({ extra: [{ reference, type: "SETTLEMENT", cents: 9700, feeCents: 96 }] });
  await shop.readStatement();
  expect(await shop.fees(id)).toEqual({ charge: 96, sale: 35 });
  expect(await sql`select extra_net_cents as cents from sales where id = ${saleId}`).toEqual([
    { cents: 9604 },
  ]);
  expect(await shop.read()).toMatchObject({ payments: 2, feeCents: 131, kinds: ["overpayment"] });
  const period = periodOf("30d", new Date());
  const stats = async () => showStats(shop.seller.id, period, await readDays(shop.seller.id, period));
  expect(await stats()).toMatchObject({ netCents: 9665 + 9604, feeCents: 131 });
  await refresh();
  // What is left of it is the same, of more money and a higher fee.
  await sql`update charges set amount_cents = 9704, paid_cents = 9704, fee_cents = 100 where id = ${id}`;
  expect(await stats()).toMatchObject({ netCents: 9665 + 9604, feeCents: 135 });
});
