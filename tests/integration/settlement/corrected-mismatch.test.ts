import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { readReconciliation } from "#app/domain/reconciliation/read-reconciliation.server.ts";
import { recordOverpaymentRefund } from "#app/domain/refund/record-reversal.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { sendQueued } from "#tests/integration/deliveries/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

/** An order of R$ 97,00 whose provider confirmed a payment of another amount; `book` books its later answers. */
async function mispaid(paidCents: number) {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  const charge = await makeCharge(sale);
  const book = async (answer: Partial<ProviderTransaction>) => {
    const contacts = (await readSaleContacts(db, sale.id))!;
    const read = (await findSnapshot(charge.id))!.charge;
    const { status, lastRefund, isCancellationChecked } = read;
    return bookAnswer({ ...charge, status, lastRefund, isCancellationChecked }, contacts, null, {
      ...{ providerId: charge.providerId!, state: "paid", providerStatus: "paid", amountCents: paidCents },
      ...{ feeCents: 35, refundedCents: null, webhookUrl: null, ...answer },
    });
  };
  expect(await book({})).toBe("amount-mismatch");
  return { sale, charge, book };
}

async function stateOf({ charge }: Awaited<ReturnType<typeof mispaid>>) {
  const [row] =
    await sql`select s.status as sale, c.status as charge, s.refunded_cents as refunded, c.paid_cents as paid
    from charges c inner join sales s on s.id = c.sale_id where c.id = ${charge.id}`;
  const refunds = await sql`select status, amount_cents from refunds where charge_id = ${charge.id}
    order by requested_at`;
  return { ...row, refunds: refunds.map((one) => `${one.status} ${one.amount_cents}`) };
}

async function mailsOf({ sale }: Awaited<ReturnType<typeof mispaid>>) {
  const mails =
    await sql`select kind, coalesce(data ->> 'what', data ->> 'access', '') as what, data ->> 'amountCents' as cents
    from ${mailsWithTexts()} where sale_id = ${sale.id} order by id`;
  return mails.map(({ kind, what, cents }) => [kind, what, cents].filter(Boolean).join(" ")).sort();
}

test.each([
  ["all that was paid", 5000, 5000, 5000],
  ["a part", 12_000, 3000, 3000],
  ["a part, which its provider no longer states", 12_000, 3000, null],
])(
  "a payment whose provider corrects its amount after %s of it was refunded has that refund once",
  async (...row) => {
    const [, paidCents, refundedCents, statedCents] = row;
    const order = await mispaid(paidCents);
    expect(await order.book({ refundedCents })).toBe("refunded");
    expect(await order.book({ amountCents: 9700, refundedCents: statedCents })).toBe("settled");
    expect(await stateOf(order)).toEqual({
      ...{ sale: "completed", charge: "paid", paid: 9700 },
      ...{ refunded: refundedCents, refunds: [`done ${refundedCents}`] },
    });
    expect(await mailsOf(order)).toEqual([
      "new-sale",
      `observed-refund not-counted ${refundedCents}`,
      `payment-news mismatched ${paidCents}`,
      `payment-news part-returned ${refundedCents}`,
      `payment-news returned ${refundedCents}`,
      "purchase",
      `wrong-amount ${paidCents}`,
    ]);
  },
);

test("of a payment that is corrected, what was refunded since is booked beside what was refunded before", async () => {
  const order = await mispaid(12_000);
  await order.book({ refundedCents: 3000 });
  expect(await order.book({ amountCents: 9700, refundedCents: 4000 })).toBe("settled");
  expect(await stateOf(order)).toMatchObject({ refunded: 4000, refunds: ["done 3000", "done 1000"] });
  expect(await mailsOf(order)).toContain("observed-refund part-returned 1000");
});

test("a payment that is corrected after all of it was refunded gives no access", async () => {
  const order = await mispaid(12_000);
  await order.book({ state: "refunded" });
  await order.book({ amountCents: 9700, refundedCents: 9700 });
  expect(await stateOf(order)).toMatchObject({ sale: "refunded", charge: "paid", refunds: ["done 12000"] });
  expect(await mailsOf(order)).not.toContain("purchase");
});

test("of a payment that is corrected to less than was refunded, no more counts as refunded than was received", async () => {
  const order = await mispaid(12_000);
  expect(await order.book({ state: "refunded" })).toBe("refunded");
  await order.book({ amountCents: 9700, refundedCents: 9700 });
  expect((await findPaymentSummary({ saleId: order.sale.id }))!.money).toMatchObject({
    ...{ receivedCents: 9700, refundedCents: 9700, countedCents: 0, netCents: -35 },
  });
  const month = readReconciledDays(new URLSearchParams(), new Date());
  const { days, differences } = await readReconciliation(order.sale.sellerId, month, {
    limit: 9,
    before: null,
  });
  expect(days).toMatchObject([{ receivedCents: 9700, refundedCents: 9700, netCents: -35, differences: 0 }]);
  expect(differences).toMatchObject([{ kind: "refund-observed", cents: 9700 }]);
});

test("a payment whose refund is pending is corrected once the refund has ended", async () => {
  const order = await mispaid(12_000);
  const { sellerId } = order.sale;
  const refund = { sellerId, chargeId: order.charge.id, amountCents: 12_000 };
  const id = await openRefund(db, { ...refund, status: "pending", origin: "requested" }, "seller");
  expect(await order.book({ amountCents: 9700 })).toBe("still-paid");
  expect(await stateOf(order)).toMatchObject({ charge: "mispaid", refunds: ["pending 12000"] });
  const refused = { to: "refused", why: "refused", detail: "" } as const;
  await moveRefund(db, { ...refund, id, status: "pending" }, refused, "provider");
  expect(await order.book({ amountCents: 9700 })).toBe("settled");
  expect(await stateOf(order)).toMatchObject({ sale: "completed", charge: "paid", refunded: 0 });
});

test("a corrected payment of a sale that was paid meanwhile leaves what was not refunded to its seller", async () => {
  const order = await mispaid(5000);
  await order.book({ refundedCents: 2000 });
  const again = await makeCharge(order.sale);
  const paid = { state: "paid", providerStatus: "paid", amountCents: 9700, feeCents: 35 } as const;
  const fields = { providerId: again.providerId!, refundedCents: null, webhookUrl: null };
  expect(await settleCharge(again.id, { ...paid, ...fields })).toBe("settled");
  expect(await order.book({ amountCents: 9700, refundedCents: 2000 })).toBe("still-paid");
  expect(await stateOf(order)).toMatchObject({ charge: "paid", refunds: ["done 2000"] });
  expect(await mailsOf(order)).toContain("surplus 7700");
});

test("what was refunded before a payment's amount was corrected is delivered once, and in order", async () => {
  const order = await mispaid(12_000);
  const { id: saleId, sellerId } = order.sale;
  const name = `corrected-${saleId}`;
  const events = ["sale.paid", "sale.partially_refunded", "sale.refunded"] as const;
  const webhook = await makeWebhook({ id: sellerId }, { name, events: [...events] });
  for (const refundedCents of [1000, 3000]) await order.book({ refundedCents });
  for (const refundedCents of [4000, 4500, 9700]) await order.book({ amountCents: 9700, refundedCents });
  await sendQueued(webhook, saleId);
  const received = (await app.sandbox.arrivals(name)).map(({ body }) => JSON.parse(body));
  expect(
    received.map(({ type, data }) => [type, data.sale.refunded_cents, data.refund?.amount_cents ?? 0]),
  ).toEqual([
    ["sale.paid", 0, 0],
    ["sale.partially_refunded", 1000, 1000],
    ["sale.partially_refunded", 3000, 2000],
    ["sale.partially_refunded", 4000, 1000],
    ["sale.partially_refunded", 4500, 500],
    ["sale.refunded", 9700, 5200],
  ]);
});

test.each([
  [9000, "payment-news", "partly_refunded"],
  [12_000, "refund", "refunded"],
])(
  "what only its seller says was refunded of a payment that is corrected is mailed as such: %i cents",
  async (paidCents, kind, event) => {
    const order = await mispaid(paidCents);
    const { id: saleId, sellerId } = order.sale;
    await recordOverpaymentRefund(sellerId, order.charge.id);
    await order.book({ amountCents: 9700 });
    const mails = await sql`select data -> 'isRecorded' as recorded from ${mailsWithTexts()}
      where sale_id = ${saleId} and kind = ${kind} and coalesce(data ->> 'what', 'part-returned') = 'part-returned'`;
    expect(mails).toEqual([{ recorded: true }]);
    const causes = await sql`select cause from sale_events where sale_id = ${saleId} and kind = ${event}`;
    expect(causes).toEqual([{ cause: "seller" }]);
  },
);

test.each([
  ["went back in full", { state: "refunded" }, "refunded"],
  ["was taken back by its bank", { state: "chargedback" }, "chargedback"],
  ["is disputed", { state: "disputed" }, "disputed"],
] as const)("a correction is booked also where the payment %s meanwhile", async (_, answer, status) => {
  const order = await mispaid(12_000);
  await order.book({ amountCents: 9700, ...answer });
  const isBack = status !== "disputed";
  expect(await stateOf(order)).toEqual({
    ...{ sale: status, charge: "paid", paid: 9700, refunded: isBack ? 9700 : 0 },
    refunds: isBack ? ["done 9700"] : [],
  });
  expect(await order.book({ amountCents: 9700, ...answer })).not.toBe("settled");
});
