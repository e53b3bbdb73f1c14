import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordDecision } from "#app/domain/refund/record-dispute.server.ts";
import { compareStatement } from "#app/domain/settlement/statement/compare-statement.server.ts";
import {
  guessColumns,
  readStatement,
  toRows,
} from "#app/domain/settlement/statement/read-statement.server.ts";
import { settlementCells, toFile } from "#sandbox/mercadopago/reports/rows.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeSale } from "#tests/support/make.ts";

const COLUMNS = { id: 0, amount: 1, state: 2, date: 3, hasNoHeader: true, isInCents: true };
const DAY = "2026-06-15";
const PAID_AT = new Date(`${DAY}T12:00:00-03:00`);

test.each([
  ["mixed case, as Woovi's", "woovi", "Ab-9xYzQ_kLm", "Ab-9xYzQ_kLm"],
  ["upper case, as Mercado Pago's", "mercadopago", "ORD01J67CQ", "ORD01J67CQ"],
  ["upper case that a file has in lower case", "mercadopago", "ORD01J67CQ", "ord01j67cq"],
  ["lower case that a file has in upper case", "pushinpay", "9c3f-ab", "9C3F-AB"],
] as const)("a payment with an id in %s is found", async (_, provider, ownId, writtenId) => {
  const { seller, product } = await openShop();
  if (provider !== "pushinpay") await makeGateway(seller, { provider });
  const suffix = randomUUID().replace(/\D/g, "");
  const sale = await makeSale(product, { createdAt: PAID_AT });
  const charge = { status: "paid", paidAt: PAID_AT, provider, providerId: ownId + suffix } as const;
  const { amountCents } = await makeCharge(sale, charge);
  const statement = [[writtenId + suffix, String(amountCents), "pago", DAY]];
  expect(await compareStatement(seller.id, toRows(statement, COLUMNS))).toMatchObject({
    ...{ matching: 1, unknown: { count: 0 }, missing: { count: 0 } },
  });
});

/** A refund of a payment that was made. */
const returnPart = (chargeId: string, cents: number) => sql`
  insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
  select id, seller_id, ${cents}, 'done', 'requested', now() from charges where id = ${chargeId}`;

test.each(["EXTERNAL_REFERENCE", "SOURCE_ID"])("a payment of Mercado Pago is found by %s", async (name) => {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "mercadopago" });
  const lines = [];
  for (let time = 0; time < 2; time++) {
    const sale = await makeSale(product, { createdAt: PAID_AT });
    const order = { provider: "mercadopago", providerId: `ORD${randomUUID()}` } as const;
    const { id, reference } = await makeCharge(sale, { status: "paid", paidAt: PAID_AT, ...order });
    const sourceId = randomUUID().replace(/\D/g, "");
    await sql`insert into statement_lines (seller_id, charge_id, kind, at, amount_cents, source_id)
      values (${seller.id}, ${id}, 'payment', ${PAID_AT}, 9700, ${sourceId})`;
    const paid = { type: "SETTLEMENT", cents: 9700, feeCents: 35, at: PAID_AT.getTime(), instalments: 1 };
    const line = { reference, sourceId, ...paid, method: "pix", methodType: "bank_transfer" };
    lines.push(
      settlementCells(line),
      settlementCells({ ...line, type: "REFUND", cents: -3000, feeCents: -11 }),
    );
    await returnPart(id, 3000);
  }
  const header = Object.keys(lines[0]!);
  const statement = readStatement(toFile(lines, header, { separator: ";", format: "plain" }));
  const columns = guessColumns(statement);
  expect(columns.id).toBe(header.indexOf("EXTERNAL_REFERENCE"));
  const rows = toRows(statement, { ...columns, id: header.indexOf(name) });
  expect(await compareStatement(seller.id, rows)).toMatchObject({
    ...{ matching: 2, scheduled: 0, unknown: { count: 0 }, missing: { count: 0 } },
  });
});

test("a card's total with interest is its amount, too, and no other sum is", async () => {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "mercadopago" });
  const card = { method: "card", instalments: 12, provider: "mercadopago", status: "paid" } as const;
  const { providerId } = await makeCharge(await makeSale(product), { ...card, buyerCents: 11640 });
  const compare = (cents: number) =>
    compareStatement(seller.id, [{ id: providerId!, cents, state: "paid", day: null }]);
  for (const cents of [9700, 11640])
    expect(await compare(cents)).toMatchObject({ matching: 1, scheduled: 0 });
  expect(await compare(10000)).toMatchObject({
    matching: 0,
    differing: { listed: [{ differsBy: "amount" }] },
  });
});

test("an unknown payment is listed as its file has it, once however it is written", async () => {
  const { seller } = await openShop();
  const rows = toRows(
    ["a-1x", "A-1X"].map((id) => [id, "100", "pago", DAY]),
    COLUMNS,
  );
  expect(await compareStatement(seller.id, rows)).toMatchObject({
    unknown: { count: 1, listed: [{ id: "A-1X" }] },
  });
});

test("a payment that the bank took back is a returned one, an overpayment of its sale is not", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  const taken = await makeCharge(sale, { status: "paid" });
  const surplus = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  await recordDecision(seller.id, sale.id, "lost");
  const compare = (returned: typeof taken, paid: typeof taken) => {
    const row = (charge: typeof taken, state: string) => [charge.providerId!, "", state, ""];
    const rows = toRows([row(returned, "estornado"), row(paid, "pago")], COLUMNS);
    return compareStatement(seller.id, rows);
  };
  expect(await compare(taken, surplus)).toMatchObject({ matching: 2, scheduled: 0 });
  expect(await compare(surplus, taken)).toMatchObject({ matching: 0, scheduled: 2 });
});

test("a payment that the provider's file calls charged back or undecided is not equal to one that is paid here", async () => {
  const { seller, product } = await openShop();
  const charge = await makeCharge(await makeSale(product, { status: "completed" }), { status: "paid" });
  for (const [state, theirState] of [
    ["charged_back", "returned"],
    ["in_process", "unpaid"],
  ] as const) {
    const rows = toRows([[charge.providerId!, String(charge.amountCents), state, ""]], COLUMNS);
    expect(await compareStatement(seller.id, rows)).toMatchObject({
      ...{ matching: 0, scheduled: 1, differing: { listed: [{ differsBy: "state", theirState }] } },
    });
  }
});

test("a payment whose amount in the file is not understood is not called equal", async () => {
  const { seller, product } = await openShop();
  const charge = await makeCharge(await makeSale(product, { status: "completed" }), { status: "paid" });
  const rows = toRows([[charge.providerId!, "1,234.56", "pago", ""]], { ...COLUMNS, isInCents: false });
  expect(await compareStatement(seller.id, rows)).toMatchObject({
    ...{
      matching: 0,
      scheduled: 1,
      differing: { listed: [{ differsBy: "amount-unread", theirCents: null }] },
    },
  });
});

test("a payment of another provider is missing in no statement of this one", async () => {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "woovi", enabledAt: null });
  const pay = async (provider: string) => {
    const sale = await makeSale(product, { status: "completed", createdAt: PAID_AT, completedAt: PAID_AT });
    return makeCharge(sale, { status: "paid", paidAt: PAID_AT, provider, providerId: randomUUID() });
  };
  const [woovi, pushinpay, other] = [await pay("woovi"), await pay("pushinpay"), await pay("pushinpay")];
  const compare = (...charges: (typeof woovi)[]) =>
    compareStatement(
      seller.id,
      toRows(
        charges.map((charge) => [charge.providerId!, String(charge.amountCents), "pago", DAY]),
        COLUMNS,
      ),
    );
  expect(await compare(woovi)).toMatchObject({ matching: 1, missing: { count: 0 } });
  expect(await compare(pushinpay)).toMatchObject({
    missing: { count: 1, listed: [{ saleId: other.saleId }] },
  });
});

test("a payment of an order that was placed months before is missing, too", async () => {
  const { seller, product } = await openShop();
  const pay = async (createdAt: Date) => {
    const sale = await makeSale(product, { status: "completed", createdAt, completedAt: PAID_AT });
    return makeCharge(sale, { status: "paid", paidAt: PAID_AT, providerId: randomUUID() });
  };
  const [listed, late] = [await pay(PAID_AT), await pay(new Date("2026-03-01T12:00:00-03:00"))];
  const rows = toRows([[listed.providerId!, String(listed.amountCents), "pago", DAY]], COLUMNS);
  expect(await compareStatement(seller.id, rows)).toMatchObject({
    missing: { count: 1, listed: [{ saleId: late.saleId }] },
  });
});

test("a payment that went back in part is equal to a row that says so", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product, { status: "completed", refundedCents: 2000 });
  const charge = await makeCharge(sale, { status: "paid" });
  await returnPart(charge.id, 2000);
  const rows = toRows([[charge.providerId!, String(charge.amountCents), "partially_refunded", ""]], COLUMNS);
  expect(await compareStatement(seller.id, rows)).toMatchObject({ matching: 1, differing: { count: 0 } });
});

test.each([
  [
    "days of São Paulo in UTC",
    ["2026-06-15T03:10:00Z", "2026-06-16T02:50:00Z"],
    ["14T23:30", "15T00:30", "15T23:30", "16T00:30"],
  ],
  [
    "days of UTC",
    ["2026-06-15T00:10:00Z", "2026-06-15T23:50:00Z"],
    ["14T20:30", "14T21:30", "15T20:30", "15T21:30"],
  ],
  [
    "days with Mercado Pago's offset",
    ["2026-06-15T00:05:00.000-04:00", "2026-06-15T23:50:00.000-04:00"],
    ["15T00:30", "15T01:30", "16T00:30", "16T01:30"],
  ],
])("no payment before or after a file of %s is missing in it", async (_, written, times) => {
  const { seller, product } = await openShop();
  const ids = [];
  for (const time of times) {
    const paidAt = new Date(`2026-06-${time}:00-03:00`);
    const sale = await makeSale(product, { createdAt: paidAt });
    ids.push((await makeCharge(sale, { status: "paid", paidAt })).providerId);
  }
  const rows = toRows(
    written.map((date) => [randomUUID(), "", "", date]),
    COLUMNS,
  );
  const { missing } = await compareStatement(seller.id, rows);
  expect(missing!.listed.map(({ id }) => id)).toEqual(ids.slice(1, 3));
});

test("a line of what went back is equal to a payment of which as much went back here, and to no other", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  const { id, providerId } = await makeCharge(sale, { status: "paid" });
  const compare = (...amounts: string[]) => {
    const statement = amounts.map((amount) => [providerId!, amount, "", ""]);
    return compareStatement(seller.id, toRows(statement, COLUMNS));
  };
  const listed = (theirCents: number, differsBy: string) => ({
    differing: { count: 1, listed: [{ theirCents, theirState: "returned", ourState: "paid", differsBy }] },
  });
  expect(await compare("9700", "-3000")).toMatchObject(listed(3000, "amount"));
  expect(await compare("9700", "-9700")).toMatchObject(listed(9700, "state"));
  await returnPart(id, 3000);
  for (const lines of [["9700", "-3000"], ["-3000"], ["3000 D"]])
    expect(await compare(...lines)).toMatchObject({ matching: 1, scheduled: 0 });
  expect(await compare("9700", "-9700")).toMatchObject(listed(9700, "state"));
  await returnPart(id, 6700);
  expect(await compare("9700", "-3000", "-6700")).toMatchObject({ matching: 1, scheduled: 0 });
  expect(await compare("9700", "-9700")).toMatchObject({ matching: 1, scheduled: 0 });
});
