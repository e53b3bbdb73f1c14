import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordDecision } from "#app/domain/refund/record-dispute.server.ts";
import { compareStatement } from "#app/domain/settlement/statement/compare-statement.server.ts";
import { toRows } from "#app/domain/settlement/statement/read-statement.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
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
