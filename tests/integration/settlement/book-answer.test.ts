import { expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { log } from "#app/platform/log.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

const CARD = { method: "card", instalments: 1, provider: "mercadopago", status: "in_review" } as const;

/** An order with a charge; `book` books its provider's answer to a check, as it was read before. */
async function orderWith(fields: Parameters<typeof makeCharge>[1] = {}) {
  return chargeAgain(await makeSale(await makeProduct(await makeSeller())), fields);
}

/** The same of an order that exists. */
async function chargeAgain(
  sale: Awaited<ReturnType<typeof makeSale>>,
  fields: Parameters<typeof makeCharge>[1] = {},
) {
  const charge = await makeCharge(sale, fields);
  const book = async (
    answer: Partial<ProviderTransaction>,
    requestedId: string | null = charge.providerId,
  ) => {
    const contacts = (await readSaleContacts(db, sale.id))!;
    const [read] = await sql`select status from charges where id = ${charge.id}`;
    const now = { ...charge, status: read!.status, lastRefund: null, isCancellationChecked: false };
    return bookAnswer(now, contacts, requestedId, {
      ...{ providerId: charge.providerId ?? "another", state: "paid", providerStatus: "paid" },
      ...{ amountCents: 9700, feeCents: 35, refundedCents: null, webhookUrl: null, ...answer },
    });
  };
  return { sale, charge, book };
}

type Order = Awaited<ReturnType<typeof orderWith>>;

async function stateOf({ sale, charge }: Order) {
  const [row] = await sql`select s.status as sale, c.status as charge, s.refunded_cents as refunded
    from charges c inner join sales s on s.id = c.sale_id where c.id = ${charge.id}`;
  const disputes = await sql`select status from disputes where sale_id = ${sale.id}`;
  const refunds = await sql`select origin, amount_cents from refunds where charge_id = ${charge.id}`;
  const mails = await sql`select kind, data ->> 'what' as what, data ->> 'access' as access
    from ${mailsWithTexts()} where sale_id = ${sale.id} order by kind, data ->> 'what'`;
  return {
    ...{ sale: row!.sale, charge: row!.charge, refunded: row!.refunded },
    disputes: disputes.map(({ status }) => status),
    refunds: refunds.map((one) => `${one.origin} ${one.amount_cents}`),
    mails: mails.map((one) => [one.kind, one.what, one.access].filter(Boolean).join(" ")),
  };
}

/** What the mail states that told the buyer of a payment which was returned. */
async function returnedMailOf(saleId: string) {
  const [mail] = await sql`select data from ${mailsWithTexts()}
    where sale_id = ${saleId} and kind = 'payment-news' and data ->> 'what' = 'returned'`;
  return mail!.data;
}

/** The level and the text of each line that is logged of a charge while `run` runs. */
async function logged({ charge }: Order, run: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const spies = (["info", "warn", "error"] as const).map((level) =>
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => {
      const [of, text] = line as [{ chargeId?: string; outcome?: string }, string];
      if (of.chargeId === charge.id) lines.push([level, text, of.outcome].filter(Boolean).join(": "));
    }),
  );
  await run().finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return lines;
}

const UNPAID = { sale: "pending", charge: "open", refunded: 0, disputes: [], refunds: [], mails: [] };

test("an answer about another transaction than the one that was asked about books nothing", async () => {
  const order = await orderWith();
  expect(await order.book({ providerId: "another" })).toBe("not-believed");
  expect(await stateOf(order)).toEqual(UNPAID);
  expect(await order.book({})).toBe("settled");
});

test.each<[string, (reference: string) => Partial<ProviderTransaction>, string]>([
  ["names nothing of ours", () => ({}), "not-believed"],
  ["names another charge", () => ({ reference: "x", webhookUrl: "https://loja.example/x" }), "not-believed"],
  ["has our reference", (reference) => ({ reference }), "settled"],
  ["has it in its webhook's address", (of) => ({ webhookUrl: `https://loja.example/${of}` }), "settled"],
])("of a charge whose answer was lost, a transaction that %s is believed or not", async (...row) => {
  const [, fields, outcome] = row;
  const order = await orderWith({ providerId: null });
  const { id, reference } = order.charge;
  expect(await order.book({ providerId: id, ...fields(reference) }, null)).toBe(outcome);
  expect((await stateOf(order)).sale).toBe(outcome === "settled" ? "completed" : "pending");
});

test.each([
  ["open", "open"],
  ["unclear", "open"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
] as const)("a code that its provider calls %s is not paid", async (state, status) => {
  const order = await orderWith();
  expect(await order.book({ state })).toBe("not-paid");
  expect(await stateOf(order)).toMatchObject({
    ...{ charge: status, sale: status === "cancelled" ? "failed" : "pending", refunds: [] },
  });
});

test.each([
  ["in_review", "in_review"],
  ["declined", "declined"],
] as const)("a card that its provider calls %s is not paid, and becomes so", async (state, status) => {
  const order = await orderWith({ ...CARD, status: "creating" });
  expect(await order.book({ state })).toBe("not-paid");
  expect(await stateOf(order)).toMatchObject({ sale: "pending", charge: status });
});

test("a payment that was returned before the first check is booked with its refund, and nobody is told of a purchase", async () => {
  const order = await orderWith();
  expect(await order.book({ state: "refunded" })).toBe("came-and-went");
  expect(await stateOf(order)).toEqual({
    ...{ sale: "refunded", charge: "paid", refunded: 9700, disputes: [], refunds: ["observed 9700"] },
    mails: ["observed-refund never-given", "refund"],
  });
});

test("a payment that its bank took back before the first check is a lost dispute", async () => {
  const order = await orderWith(CARD);
  expect(await order.book({ state: "chargedback" })).toBe("came-and-went");
  expect(await stateOf(order)).toEqual({
    ...{ sale: "chargedback", charge: "paid", refunded: 9700, disputes: ["lost"] },
    ...{ refunds: ["observed 9700"], mails: ["dispute lost", "dispute-access lost"] },
  });
});

test("a payment that its bank took back is gone in full, though its provider still states the part refunded before", async () => {
  const [known, unknown] = [await orderWith(), await orderWith()];
  await known.book({});
  expect(await known.book({ refundedCents: 1000 })).toBe("refunded");
  const takenBack = { state: "chargedback", refundedCents: 1000 } as const;
  expect(await known.book(takenBack)).toBe("refunded");
  expect(await unknown.book(takenBack)).toBe("came-and-went");
  const lost = { sale: "chargedback", refunded: 9700, disputes: ["lost"] };
  expect(await stateOf(known)).toMatchObject({ ...lost, refunds: ["observed 1000", "observed 8700"] });
  expect(await stateOf(unknown)).toMatchObject({ ...lost, refunds: ["observed 9700"] });
});

test("a payment that is disputed at the first check completes its sale, whose dispute is checked soon", async () => {
  const order = await orderWith(CARD);
  expect(await order.book({ state: "disputed" })).toBe("settled");
  expect(await stateOf(order)).toMatchObject({ sale: "disputed", charge: "paid", disputes: ["open"] });
  const [check] = await sql`select scheduled_at <= now() + interval '6 hours' as soon from paced_checks
    where charge_id = ${order.charge.id}`;
  expect(check).toEqual({ soon: true });
});

test("what was returned of a payment before the first check is booked with it", async () => {
  const order = await orderWith();
  expect(await order.book({ refundedCents: 3000 })).toBe("settled");
  expect(await stateOf(order)).toEqual({
    ...{ sale: "completed", charge: "paid", refunded: 3000, disputes: [], refunds: ["observed 3000"] },
    mails: ["new-sale", "observed-refund part-returned", "payment-news part-returned", "purchase"],
  });
});

test("a second payment of which a part was returned is not refunded automatically: its seller is told what is left", async () => {
  const first = await orderWith();
  await first.book({});
  await sql`update sellers set refunds_overpayments = true where id = ${first.sale.sellerId}`;
  const again = await chargeAgain(first.sale);
  expect(await again.book({ refundedCents: 3000 })).toBe("overpayment");
  const second = await stateOf(again);
  expect(second).toMatchObject({ sale: "completed", charge: "paid", refunds: ["observed 3000"] });
  expect(second.mails).toEqual(
    expect.arrayContaining(["observed-refund not-counted", "payment-news returned"]),
  );
  expect(await returnedMailOf(first.sale.id)).toMatchObject({ amountCents: 3000, isMismatch: false });
  const [mail] = await sql`select data from ${mailsWithTexts()}
    where sale_id = ${first.sale.id} and kind = 'surplus'`;
  expect(mail!.data).toEqual({ amountCents: 6700 });
});

test("a payment of another amount is mailed to both, unless it was returned already; corrected, it counts", async () => {
  const [kept, returned] = [await orderWith(), await orderWith()];
  expect(await kept.book({ amountCents: 5000 })).toBe("amount-mismatch");
  expect(await stateOf(kept)).toEqual({
    ...{ ...UNPAID, charge: "mispaid" },
    mails: ["payment-news mismatched", "wrong-amount"],
  });
  expect(await kept.book({ amountCents: 5000 })).toBe("still-paid");
  expect(await kept.book({})).toBe("settled");
  expect(await stateOf(kept)).toMatchObject({ sale: "completed", charge: "paid" });
  expect(await returned.book({ amountCents: 5000, state: "refunded" })).toBe("amount-mismatch");
  expect(await stateOf(returned)).toEqual({
    ...{ ...UNPAID, charge: "mispaid", refunds: ["observed 5000"] },
    mails: ["observed-refund not-counted", "payment-news returned"],
  });
  expect(await returnedMailOf(returned.sale.id)).toMatchObject({ amountCents: 5000, isMismatch: true });
});

test("a provider that does not know a transaction changes neither a code nor a payment", async () => {
  const paid = await orderWith();
  await paid.book({});
  const mispaid = await orderWith();
  await mispaid.book({ amountCents: 5000 });
  for (const order of [await orderWith(), paid, mispaid]) {
    const before = await stateOf(order);
    const contacts = (await readSaleContacts(db, order.sale.id))!;
    const known = { lastRefund: null, isCancellationChecked: false };
    const read = { ...order.charge, status: before.charge, ...known };
    const outcome = await bookAnswer(read, contacts, order.charge.providerId, null);
    expect(outcome).toBe(before.charge === "open" ? "unknown" : "not-refunded");
    expect(await stateOf(order)).toEqual(before);
  }
});

test.each<[string, Partial<ProviderTransaction>, string[]]>([
  ["is paid", {}, ["info: payment settled: settled"]],
  ["was paid and refunded", { state: "refunded" }, ["info: payment settled: came-and-went"]],
  ["is paid with another sum", { amountCents: 1 }, ["error: provider confirmed another amount: not settled"]],
  ["is open", { state: "open" }, []],
  ["is in a state that we do not know", { state: "unclear" }, ["warn: provider sent an unknown status"]],
  [
    "is another one",
    { providerId: "another" },
    ["error: provider answered about another transaction: ignored"],
  ],
])("of a transaction that %s, the log says what is to be known", async (_, answer, lines) => {
  const order = await orderWith();
  expect(await logged(order, () => order.book(answer))).toEqual(lines);
});

test("the log warns of a second payment, and of a transaction that is not the charge's", async () => {
  const first = await orderWith();
  await first.book({});
  const again = await chargeAgain(first.sale);
  expect(await logged(again, () => again.book({}))).toEqual(["warn: overpayment: to be refunded"]);
  const lost = await orderWith({ providerId: null });
  expect(await logged(lost, () => lost.book({}, null))).toEqual([
    "warn: webhook names a transaction that is not this charge's",
  ]);
});
